package dev.stowage.trace.replay;

import java.util.ArrayList;
import java.util.List;

/**
 * The requests of a training of a small transformer for three steps: the history of {@code
 * examples/training.csv}.
 *
 * <p>Weights stay. The outputs of a layer live from its forward to its backward pass. Gradients of
 * weights live until the optimizer has used them. The state of the optimizer is allocated at the
 * end of the first step, between other allocations. Sequences have another length at each step, so
 * that nearly all tensors have other sizes.
 */
final class TrainingTrace {

  private static final int[] SEQUENCE_LENGTHS = {448, 256, 384};
  private static final int BLOCK_COUNT = 4;
  private static final long BATCH = 4;
  private static final long HIDDEN = 384;
  private static final long WORDS = 16_000;
  private static final long FLOAT_BYTES = 4;

  private record Weight(String name, long bytes) {}

  private final List<String> lines = new ArrayList<>();
  private final List<Weight> weights = new ArrayList<>();

  private TrainingTrace() {
    long square = HIDDEN * HIDDEN * FLOAT_BYTES;
    weights.add(new Weight("embed", WORDS * HIDDEN * FLOAT_BYTES));
    for (int block = 1; block <= BLOCK_COUNT; block++) {
      weights.add(new Weight("block" + block + "/attention", 4 * square));
      weights.add(new Weight("block" + block + "/mlp", 8 * square));
    }
    weights.add(new Weight("head", WORDS * HIDDEN * FLOAT_BYTES));
  }

  /** {@return the trace as CSV} */
  static String csv() {
    TrainingTrace trace = new TrainingTrace();
    trace.weights.forEach(weight -> trace.allocate("weights/" + weight.name(), weight.bytes()));
    for (int step = 1; step <= SEQUENCE_LENGTHS.length; step++) {
      trace.step(step, SEQUENCE_LENGTHS[step - 1]);
    }
    return "op,id,bytes,stream,t\n" + String.join("", trace.lines);
  }

  private void step(int number, long length) {
    String step = "step" + number + "/";
    long activation = BATCH * length * HIDDEN * FLOAT_BYTES;
    long logits = BATCH * length * WORDS * FLOAT_BYTES;
    allocate(step + "embed", activation);
    for (int block = 1; block <= BLOCK_COUNT; block++) {
      forward(step + "block" + block + "/", length, activation);
    }
    allocate(step + "logits", logits);
    allocate(step + "grad/logits", logits);
    free(step + "logits");
    allocate(step + "grad/embed", activation);
    allocate(step + "grad/weights/head", WORDS * HIDDEN * FLOAT_BYTES);
    free(step + "grad/logits");
    String gradient = step + "grad/embed";
    for (int block = BLOCK_COUNT; block >= 1; block--) {
      gradient = backward(step, block, gradient, length, activation);
    }
    allocate(step + "grad/weights/embed", WORDS * HIDDEN * FLOAT_BYTES);
    free(gradient);
    free(step + "embed");
    for (Weight weight : weights) {
      if (number == 1) {
        allocate("momentum/" + weight.name(), weight.bytes());
        allocate("variance/" + weight.name(), weight.bytes());
      }
      free(step + "grad/weights/" + weight.name());
    }
  }

  private void forward(String block, long length, long activation) {
    allocate(block + "qkv", 3 * activation);
    allocate(block + "workspace", BATCH * length * length * 2);
    allocate(block + "attention", activation);
    free(block + "workspace");
    allocate(block + "hidden", 4 * activation);
    allocate(block + "mlp", activation);
  }

  /** Computes the gradient of a block's output and {@return the gradient of its input} */
  private String backward(String step, int number, String gradient, long length, long activation) {
    String block = step + "block" + number + "/";
    String ofWeights = step + "grad/weights/block" + number;
    long square = HIDDEN * HIDDEN * FLOAT_BYTES;
    allocate(block + "grad/hidden", 4 * activation);
    allocate(ofWeights + "/mlp", 8 * square);
    free(block + "mlp");
    free(block + "hidden");
    allocate(block + "grad/attention", activation);
    free(block + "grad/hidden");
    free(gradient);
    allocate(block + "grad/workspace", BATCH * length * length * 2);
    allocate(block + "grad/qkv", 3 * activation);
    free(block + "grad/workspace");
    allocate(ofWeights + "/attention", 4 * square);
    free(block + "attention");
    free(block + "qkv");
    free(block + "grad/attention");
    allocate(block + "grad/input", activation);
    free(block + "grad/qkv");
    return block + "grad/input";
  }

  private void allocate(String id, long bytes) {
    lines.add("a,%s,%s,0,%s\n".formatted(id, bytes, lines.size()));
  }

  private void free(String id) {
    lines.add("f,%s,,0,%s\n".formatted(id, lines.size()));
  }
}
