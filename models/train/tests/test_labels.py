import unittest

import toy  # noqa: F401 first: it makes the code importable
import torch

from labels import Labels
from loss import TagLoss


class Compatible(unittest.TestCase):
    def allowed(self, tag, covers=("NAME",), types=None):
        labels = Labels(types)
        return {labels.names[i] for i in labels.compatible(tag, covers)}

    def test_fine_tag_allows_itself(self):
        self.assertEqual(self.allowed("I-DOCTOR"), {"I-DOCTOR"})

    def test_coarse_tag_allows_its_types_with_the_same_mark(self):
        self.assertEqual(self.allowed("B-NAME"), {"B-PATIENT", "B-DOCTOR"})
        self.assertEqual(self.allowed("I-ORG"), {"I-HOSPITAL", "I-ORGANIZATION"})

    def test_class_with_the_name_of_its_type(self):
        self.assertEqual(self.allowed("B-AGE"), {"B-AGE"})

    def test_unknown_allows_all(self):
        self.assertEqual(self.allowed("*"), set(Labels().names))

    def test_outside_allows_what_is_not_covered(self):
        self.assertEqual(self.allowed("O", toy.EVERYTHING), {"O"})
        rest = [c for c in toy.EVERYTHING if c != "AGE"]
        self.assertEqual(self.allowed("O", rest), {"O", "B-AGE", "I-AGE"})

    def test_network_of_one_row(self):
        names = Labels(["NAME"])
        self.assertEqual(names.names, ["O", "B-PATIENT", "I-PATIENT", "B-DOCTOR", "I-DOCTOR"])
        self.assertEqual(self.allowed("B-DATE", types=["NAME"]), {"O"})
        self.assertEqual(self.allowed("O", ["DATE"], ["NAME"]), set(names.names))
        self.assertEqual(self.allowed("B-NAME", types=["DOCTOR"]), {"O", "B-DOCTOR"})

    def test_wrong_tags(self):
        for tag in ("B-NOTHING", "X-NAME", "NAME", ""):
            with self.assertRaises(ValueError):
                self.allowed(tag)


class Loss(unittest.TestCase):
    def setUp(self):
        self.labels = Labels(["NAME"])
        rows = [self.labels.mask("B-NAME", ()), self.labels.mask("O", ("NAME",)), self.labels.mask("*", ())]
        self.allowed = torch.tensor([r.tolist() for r in rows])
        self.logits = torch.randn(1, 3, len(self.labels), generator=torch.Generator().manual_seed(1))

    def test_is_minus_log_of_the_sum(self):
        loss = TagLoss(self.allowed)(self.logits, torch.tensor([[0, 1, 2]]))
        p = self.logits.softmax(2)[0]
        want = -(torch.log(p[0, 1] + p[0, 3]) + torch.log(p[1, 0])) / 2
        self.assertAlmostEqual(float(loss), float(want), places=5)

    def test_unknown_words_teach_nothing(self):
        logits = self.logits.requires_grad_()
        TagLoss(self.allowed, smoothing=0.1)(logits, torch.tensor([[2, 2, 2]])).backward()
        self.assertEqual(float(logits.grad.abs().max()), 0.0)

    def test_weight_of_phi(self):
        tags = torch.tensor([[0, 1, 2]])
        p = self.logits.softmax(2)[0]
        name, other = -torch.log(p[0, 1] + p[0, 3]), -torch.log(p[1, 0])
        loss = TagLoss(self.allowed, phi_weight=3.0)(self.logits, tags)
        self.assertAlmostEqual(float(loss), float((3 * name + other) / 4), places=5)

    def test_smoothing_raises_the_loss_of_the_sure(self):
        sure = torch.zeros(1, 1, len(self.labels))
        sure[0, 0, 0] = 30
        tags = torch.tensor([[1]])
        self.assertGreater(float(TagLoss(self.allowed, smoothing=0.1)(sure, tags)), 1.0)
        self.assertLess(float(TagLoss(self.allowed)(sure, tags)), 1e-6)


if __name__ == "__main__":
    unittest.main()
