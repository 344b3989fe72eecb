"""Races: which accesses are not ordered by any barrier, fence or atomic operation."""
