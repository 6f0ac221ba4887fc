"""Scripted players, one package a game. ``sim`` finds them through entry points, never by name."""
