package dev.stowage.bench;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.incremental.Operator;
import dev.stowage.plan.incremental.OperatorGraph;
import dev.stowage.plan.incremental.OperatorOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/**
 * Generated networks whose operators have more than one legal order. Operator i writes record i.
 */
enum OperatorNetwork {
  /**
   * Cells of 14 operators, as in Inception: four branches of three operators between a first
   * operator and a concatenation, which also reads the previous cell. Tensors become smaller.
   */
  CELLS {
    @Override
    Tensor tensor(int i, int count, Random random) {
      int place = i % 14;
      int first = i - place;
      long pixels = (1L << 20) / (1 + 7L * i / count);
      if (place == 0) {
        return i == 0 ? new Tensor(4 * pixels) : new Tensor(4 * pixels, i - 1);
      }
      if (place == 13) {
        int previous = Math.max(first - 1, 0);
        return new Tensor(4 * pixels, first + 3, first + 6, first + 9, i - 1, previous);
      }
      int source = place % 3 == 1 ? first : i - 1;
      return new Tensor(pixels * (1 + random.nextInt(8)) / 4, source);
    }
  },

  /**
   * Blocks of 33 operators, as in a transformer with four heads: queries, keys, values, scores,
   * probabilities and contexts of each head, and a sequential part with two residual connections.
   */
  TRANSFORMER {
    @Override
    Tensor tensor(int i, int count, Random random) {
      int place = i % 33;
      int first = i - place;
      if (place == 0) {
        return i == 0 ? new Tensor(MODEL) : new Tensor(MODEL, i - 1);
      }
      if (place <= 24) {
        int head = first + 1 + (place - 1) / 6 * 6;
        return switch ((place - 1) % 6) {
          case 0, 1, 2 -> new Tensor(MODEL / 4, first);
          case 3 -> new Tensor(SCORES, head, head + 1);
          case 4 -> new Tensor(SCORES, i - 1);
          default -> new Tensor(MODEL / 4, i - 1, head + 2);
        };
      }
      return switch (place) {
        case 25 -> new Tensor(MODEL, first + 6, first + 12, first + 18, first + 24);
        case 27 -> new Tensor(MODEL, i - 1, Math.max(first - 1, 0));
        case 29, 30 -> new Tensor(4 * MODEL, i - 1);
        case 32 -> new Tensor(MODEL, i - 1, first + 27);
        default -> new Tensor(MODEL, i - 1);
      };
    }
  },

  /**
   * An encoder and a decoder, as in a U-Net: groups of eight operators, with two branches of three
   * operators. Each group of the decoder also reads the result of the mirrored group of the
   * encoder.
   */
  ENCODER_DECODER {
    @Override
    Tensor tensor(int i, int count, Random random) {
      int groups = (count + 7) / 8;
      int group = i / 8;
      int mirrored = groups - 1 - group;
      int level = Math.min(group, mirrored) * 8 / groups;
      long bytes = (4L << 20 >> level) + 4_096L * random.nextInt(16);
      int place = i % 8;
      int first = i - place;
      return switch (place) {
        case 0 -> {
          int skipped = 8 * mirrored + 7;
          if (i == 0) {
            yield new Tensor(bytes);
          }
          yield skipped < i - 1 ? new Tensor(bytes, i - 1, skipped) : new Tensor(bytes, i - 1);
        }
        case 1, 4 -> new Tensor(bytes / 2, first);
        case 7 -> new Tensor(bytes, first + 3, first + 6);
        default -> new Tensor(bytes / 2, i - 1);
      };
    }
  },

  /**
   * Operators that read one to three of the last twenty tensors; one of 20 operators reads any
   * earlier tensor instead of one of them. Sizes are log-uniform from 256 bytes to 16 MiB.
   */
  RANDOM {
    @Override
    Tensor tensor(int i, int count, Random random) {
      long bytes = (long) (256 * Math.exp(random.nextDouble() * Math.log(65_536)));
      if (i == 0) {
        return new Tensor(bytes);
      }
      int[] sources = new int[1 + random.nextInt(3)];
      for (int k = 0; k < sources.length; k++) {
        sources[k] = i - 1 - random.nextInt(Math.min(i, 20));
      }
      if (random.nextInt(20) == 0) {
        sources[0] = random.nextInt(i);
      }
      return new Tensor(bytes, sources);
    }
  };

  private static final long MODEL = 512 * 768 * 4L;
  private static final long SCORES = 512 * 512 * 4L;

  /** The size of a tensor, and the tensors that its operator reads. */
  static final class Tensor {

    private final long bytes;
    private final TreeSet<Integer> sources = new TreeSet<>();

    Tensor(long bytes, int... sources) {
      this.bytes = bytes;
      for (int source : sources) {
        this.sources.add(source);
      }
    }
  }

  abstract Tensor tensor(int i, int count, Random random);

  /** {@return the order in which the operators of a network are generated} */
  OperatorOrder order(int count) {
    Random random = new Random(1);
    List<TensorUsageRecord> records = new ArrayList<>();
    List<Operator> operators = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Tensor tensor = tensor(i, count, random);
      records.add(TensorUsageRecord.of(tensor.bytes, 0, 0));
      operators.add(Operator.of(List.copyOf(tensor.sources), List.of(i)));
    }
    OperatorGraph graph =
        OperatorGraph.of(count, operators).withInputs(List.of(0)).withOutputs(List.of(count - 1));
    return OperatorOrder.of(PlanProblem.of(records), graph);
  }
}
