"""How many words a text needs to be compared with others."""

import pytest

from nnlib.teaching.similar.tokens import Lexeme
from nnlib.teaching.similar.winnowing import K, fingerprints


@pytest.mark.parametrize(("more", "kept"), [(-1, False), (0, True), (1, True)])
def test_a_text_of_as_many_words_as_are_hashed_together_has_a_fingerprint(more, kept):
    assert bool(fingerprints([Lexeme(f"w{k}", k) for k in range(K + more)])) == kept


def test_the_last_word_of_a_text_counts():
    words = [f"w{k}" for k in range(K)]
    one, other = ([Lexeme(word, 1) for word in (*words, last)] for last in "ab")
    assert fingerprints(one[:K]).keys() != fingerprints([*one[1:K], other[-1]]).keys()
