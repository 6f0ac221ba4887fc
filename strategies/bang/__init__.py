"""Strategies for the BANG! family: one file a strategy, each with one compiled function ``decide``.

``decide(public, own, rules, tables)`` gets what everybody sees, what the seat knows itself (with the question in
``own.question``), the rules and the card tables, and returns an answer made by ``answer(what, target)``.
"""
