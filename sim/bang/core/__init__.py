"""The compiled rules of the BANG! family.

This package is a template: ``sim.kernel.build`` copies it, with ``flags`` and ``chosen`` written anew, into one kernel
module for each set of expansions, strategies and instruments. Imports inside it are relative for that reason.
"""
