"""All that can be wrong with a patient: one line of the program, how it shows, where it happens. Lesson 06."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Ward:
    """A network and how it is trained. rate: one that suits it."""

    sizes: tuple[int, ...]
    rate: float
    optimizer: str


WARDS = {"narrow": Ward((784, 16, 16, 10), 0.05, "sgd"),
         "wide": Ward((784, 64, 64, 10), 0.1, "sgd"),
         "deep": Ward((784, 64, 64, 64, 64, 64, 10), 0.02, "adam")}
SEEDS = (2, 185, 62, 246, 193, 67, 228, 282, 53, 70, 121, 37)  # with which each ward learns


@dataclass(frozen=True)
class Patient:
    """One illness.

    diagnosis: as the menu has it. function: where the line stands that is to be changed. right, wrong: that line, and
    what this patient has; empty where only a setting is wrong. probe, shows: which probe reveals the illness, and
    how; a wrong diagnosis is answered with it. lesson: shown when it is cured. wards: where it shows. rate: times the
    ward's.
    """

    diagnosis: str
    function: str
    right: str
    wrong: str
    probe: str
    shows: str
    lesson: str
    wards: tuple[str, ...] = ("narrow", "wide", "deep")
    rate: float = 1.0
    seeds: tuple[int, ...] = SEEDS


PATIENTS = (
    Patient("Adam counts its steps wrongly", "adam", 't = memory["steps"]', 't = memory["arrays"]', "movement",
            "Adam's first step does not move every layer by one learning rate",
            "Each array counted as a step, so the bias correction of m and v took the training to be many times older "
            "than it was. Adam's first step moves every layer by one learning rate.", ("deep",)),
    Patient("a kernel is never launched", "weight_gradient", "block = (16, 16)",
            "block = (16, 16, 16 if x.shape[1] > 512 else 1)", "gradients", "a layer has a gradient of length 0",
            "16 x 16 x 16 = 4096 threads per block, and only 1024 are allowed. CUDA returns an error code and "
            "carries on: check cudaGetLastError() after every launch. A published program contained this line.",
            ("narrow", "wide")),
    Patient("a matrix is transposed on the way back", "input_gradient", "tiles = w", "tiles = w.T", "gradients",
            "the last two layers have a right gradient, and all layers before them a wrong direction",
            "Seen from the loss, the fault lies just before the first wrong gradient. The hidden layer is square, so "
            "no shape complained: test with sizes that all differ."),
    Patient("the mask of ReLU comes from the wrong tensor", "relu_back", "mask = y > 0", "mask = dy > 0", "gradients",
            "only the last layer, which no ReLU follows, has a right gradient",
            "Only positive gradients passed, so the weights only went down, until every unit was dead."),
    Patient("the gradient is divided by the batch twice", "backpropagate", "backward(net, dlogits)",
            "backward(net, dlogits / len(x))", "gradients", "all lengths are 1 / 64, one over the batch size",
            "The loss is a mean already: divide in one place only. A larger learning rate would have hidden this until "
            "somebody changed the batch size.", ("narrow", "wide")),
    Patient("the gradient is not divided by the batch", "loss_and_gradient", "dlogits = (p - onehot) / len(p)",
            "dlogits = p - onehot", "gradients", "all lengths are 64, the batch size",
            "The loss is a mean, so its gradient is a mean, too. A smaller learning rate would have hidden this until "
            "somebody changed the batch size.", ("narrow", "wide")),
    Patient("gradients of earlier steps are still there", "store", "gradient[...] = value", "gradient += value",
            "twice", "a second backward pass makes the gradient twice as long",
            "A gradient check on a fresh network cannot see this, because the old gradient is zero there: run it "
            "twice."),
    Patient("labels belong to other images", "labels", "header = 8", "header = 7", "batch",
            "the labels do not match the images",
            "The file was read from one byte too early, so each image got the label of the image before it. Many "
            "digits come in the order 0, 1, 2 …, so the network learned to answer one less. Look at a batch as the "
            "network gets it."),
    Patient("pixels are read as another type", "images", "x = x.astype(np.float32) / 128", "x = x / 128", "batch",
            "the images cannot be recognised",
            "Bytes divided by 128 are float64, and a const float* reads each of them as two numbers. CUDA cannot know "
            "this; nnlib compares the types."),
    *(Patient("the learning rate is too small", "settings", "", "", "rates",
              "a larger rate trains well, and all gradients have the length 1",
              "There is no bug; it is only slow. But a gradient that is too short gives the same curve: look at the "
              "gradients before you change the rate.", wards, rate)
      for wards, rate in ((("narrow", "wide"), 0.02), (("deep",), 5e-4))),
    Patient("the learning rate is too large", "settings", "", "", "rates",
            "a smaller rate trains well, and all gradients have the length 1",
            "There is no bug; the steps are only too long. But a gradient that is too long gives the same curve: look "
            "at the gradients before you change the rate.", rate=20),
    Patient("nothing is wrong but the seed", "settings", "", "", "seeds",
            "other seeds train well, and all other probes are healthy",
            "Bad luck: from this start, the narrow network does not get anywhere. Never judge anything by one seed.",
            ("narrow",), seeds=(299, 36, 105, 73, 55)),
)
DIAGNOSES = sorted({patient.diagnosis for patient in PATIENTS}, key=str.lower)
