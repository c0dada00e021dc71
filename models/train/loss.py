"""The loss: -log of the probability of all labels that a gold tag allows."""

import torch


class TagLoss:
    """allowed [tags, labels] of bool says which labels each tag allows. phi_weight counts
    words of PHI more than others, which buys recall with precision; smoothing keeps the
    network from being surer than its data are."""

    def __init__(self, allowed, phi_weight=1.0, smoothing=0.0, device="cpu"):
        allowed = torch.as_tensor(allowed)
        if not bool(allowed.any(dim=1).all()):
            raise ValueError("a tag allows no label")
        self.closed = torch.zeros(allowed.shape).masked_fill(~allowed, -1e4).to(device)
        self.told = (~allowed.all(dim=1)).float().to(device)
        weight = torch.where(allowed[:, 0], 1.0, float(phi_weight))
        self.weight = (weight * self.told.cpu()).to(device)
        self.smoothing = smoothing

    def __call__(self, logits, tags):
        """logits [B, W, labels], tags [B, W] -> the mean over all words that have a tag."""
        logits = logits.float()
        every = torch.logsumexp(logits, dim=2)
        loss = every - torch.logsumexp(logits + self.closed[tags], dim=2)
        if self.smoothing:
            loss = loss * (1 - self.smoothing) + self.smoothing * (every - logits.mean(dim=2))
        weight = self.weight[tags]
        return (loss * weight).sum() / weight.sum().clamp(min=1.0)
