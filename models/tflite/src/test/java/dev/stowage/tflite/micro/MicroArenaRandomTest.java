package dev.stowage.tflite.micro;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.TensorUses;
import dev.stowage.plan.strategy.MemoryStrategy;
import dev.stowage.testing.Seeds;
import dev.stowage.tflite.offline.MicroModels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tensorflow.lite.schema.BuiltinOperator;
import org.tensorflow.lite.schema.SubGraphT;

/** Random models of several subgraphs, compared with a plain model of the interpreter. */
class MicroArenaRandomTest {

  private static final int ADD = BuiltinOperator.ADD;
  private static final int NEVER = -1;

  /** An operator: its subgraph calls those with higher indices only. */
  private static final class Op {
    private final int[] inputs;
    private final int[] outputs;
    private final int[] called;
    private boolean isExecuted;

    Op(int[] inputs, int[] outputs, int[] called) {
      this.inputs = inputs;
      this.outputs = outputs;
      this.called = called;
    }
  }

  /** A buffer of the interpreter, with the scopes in which it exists. */
  private static final class Buffer {
    private final String name;
    private final long bytes;
    private int first = NEVER;
    private int last = NEVER;
    private long offset = NEVER;

    /** The scopes of its readers, at their first execution. */
    private final Set<Integer> reads = new TreeSet<>();

    Buffer(String name, long bytes) {
      this.name = name;
      this.bytes = (bytes + 15) / 16 * 16;
    }

    void write(int scope) {
      first = first == NEVER ? scope : first;
      last = scope;
    }

    long end() {
      return offset + bytes;
    }

    @Override
    public String toString() {
      return name + " " + bytes + " " + first + ".." + last;
    }
  }

  /** A random model and the buffers of the interpreter. */
  private static final class Sample {

    private final Random random;
    private final MicroModels model = new MicroModels();
    private final List<List<Buffer>> tensors = new ArrayList<>();
    private final List<List<Op>> operators = new ArrayList<>();
    private final List<SubGraphT> subgraphs = new ArrayList<>();
    private final List<ScratchBuffer> scratch = new ArrayList<>();
    private final List<Buffer> scratchBuffers = new ArrayList<>();
    private final List<Integer> variables = new ArrayList<>();
    private int scope;

    Sample(long seed) {
      random = new Random(seed);
      int count = 1 + random.nextInt(4);
      for (int i = 0; i < count; i++) {
        addSubgraph(i);
      }
      for (int i = 0; i < count; i++) {
        addOperators(i, count);
      }
      run(0);
    }

    private void addSubgraph(int index) {
      int[] bytes = random.ints(1 + random.nextInt(8), 0, 100).toArray();
      SubGraphT subgraph = model.subgraph(bytes);
      List<Buffer> buffers = new ArrayList<>();
      for (int t = 0; t < bytes.length; t++) {
        buffers.add(new Buffer("s" + index + "t" + t, bytes[t]));
        if (random.nextInt(8) == 0) {
          subgraph.getTensors()[t].setIsVariable(true);
          variables.add(index * 100 + t);
        }
      }
      tensors.add(buffers);
      operators.add(new ArrayList<>());
      subgraph.setInputs(some(bytes.length));
      subgraph.setOutputs(some(bytes.length));
      subgraphs.add(subgraph);
    }

    private int[] some(int count) {
      return random.ints(random.nextInt(3), 0, count).toArray();
    }

    private void addOperators(int index, int subgraphCount) {
      int tensorCount = tensors.get(index).size();
      int count = random.nextInt(5);
      for (int k = 0; k < count; k++) {
        int[] called = new int[0];
        if (index + 1 < subgraphCount && random.nextInt(3) == 0) {
          called = random.ints(1 + random.nextInt(2), index + 1, subgraphCount).toArray();
        }
        Op op = new Op(some(tensorCount), some(tensorCount), called);
        operators.get(index).add(op);
        SubGraphT subgraph = subgraphs.get(index);
        switch (called.length) {
          case 0 -> model.operator(subgraph, ADD, op.inputs, op.outputs);
          case 1 -> model.call(subgraph, BuiltinOperator.CALL_ONCE, called, op.inputs, op.outputs);
          default ->
              model.call(
                  subgraph,
                  random.nextBoolean() ? BuiltinOperator.IF : BuiltinOperator.WHILE,
                  called,
                  op.inputs,
                  op.outputs);
        }
        for (int n = random.nextInt(6) - 3; n > 0; n--) {
          scratch.add(new ScratchBuffer(index, k, random.nextInt(90)));
          scratchBuffers.add(new Buffer("scratch of operator " + k, scratch.getLast().bytes()));
        }
      }
    }

    /** Walks a subgraph as the interpreter does. */
    private void run(int index) {
      List<Buffer> here = tensors.get(index);
      for (int t : subgraphs.get(index).getInputs()) {
        here.get(t).write(scope);
      }
      for (int k = 0; k < operators.get(index).size(); k++) {
        Op op = operators.get(index).get(k);
        scope++;
        int start = scope;
        for (int t : op.outputs) {
          here.get(t).write(scope);
        }
        for (int called : op.called) {
          scope++;
          run(called);
        }
        for (int t : op.inputs) {
          here.get(t).last = scope;
          if (!op.isExecuted) {
            here.get(t).reads.add(start);
          }
        }
        op.isExecuted = true;
        for (int t : op.outputs) {
          here.get(t).last = scope;
        }
        for (int s = 0; s < scratch.size(); s++) {
          if (scratch.get(s).subgraph() == index && scratch.get(s).operator() == k) {
            scratchBuffers.get(s).write(start);
            scratchBuffers.get(s).last = scope;
          }
        }
      }
      for (int t : subgraphs.get(index).getOutputs()) {
        here.get(t).write(scope);
      }
    }

    /** {@return the buffers in the order of the interpreter} */
    List<Buffer> buffers() {
      List<Buffer> all = new ArrayList<>();
      for (int i = 0; i < tensors.size(); i++) {
        for (int t = 0; t < tensors.get(i).size(); t++) {
          if (tensors.get(i).get(t).bytes > 0 && !variables.contains(i * 100 + t)) {
            all.add(tensors.get(i).get(t));
          }
        }
      }
      all.addAll(scratchBuffers);
      return all;
    }

    MicroArena arena() throws IOException {
      return MicroArenaReader.read("model", ByteBuffer.wrap(model.write())).withScratch(scratch);
    }
  }

  /**
   * Places buffers by size, of equal ones the last one first, each into the first gap, and {@return
   * the end of the highest one}
   *
   * @param isPlanned true if buffers with an offset keep it
   */
  private static long greedy(List<Buffer> buffers, boolean isPlanned) {
    List<Buffer> placed =
        new ArrayList<>(
            buffers.stream().filter(buffer -> isPlanned && buffer.offset >= 0).toList());
    List<Buffer> others = new ArrayList<>(buffers.reversed());
    others.removeAll(placed);
    others.sort(Comparator.comparingLong((Buffer buffer) -> -buffer.bytes));
    for (Buffer buffer : others) {
      long offset = 0;
      for (Buffer other :
          placed.stream().sorted(Comparator.comparingLong(it -> it.offset)).toList()) {
        boolean isApart = other.last < buffer.first || buffer.last < other.first;
        if (!isApart && other.offset < offset + buffer.bytes) {
          offset = Math.max(offset, other.end());
        }
      }
      buffer.offset = offset;
      placed.add(buffer);
    }
    return placed.stream().mapToLong(Buffer::end).max().orElse(0);
  }

  static LongStream seeds() {
    return Seeds.of(4_000);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void arena_ofARandomModel_agreesWithThePlainModel(long seed) throws IOException {
    Sample sample = new Sample(seed);
    MicroArena arena = sample.arena();
    List<Buffer> buffers = sample.buffers();

    assertThat(arena.problem().records())
        .extracting(record ->
            record.name()
                + " "
                + record.bytes()
                + " "
                + record.firstTask()
                + ".."
                + record.lastTask())
        .containsExactlyElementsOf(
            buffers.stream()
                .filter(buffer -> buffer.last != NEVER)
                .map(buffer ->
                    buffer.name
                        + " "
                        + buffer.bytes
                        + " "
                        + Math.max(0, buffer.first)
                        + ".."
                        + buffer.last)
                .toList());

    assertThat(arena.plannedBuffers())
        .extracting(tensor -> tensor.name() + " " + tensor.uses())
        .containsExactlyElementsOf(
            buffers.stream()
                .filter(buffer -> buffer.last != NEVER)
                .map(buffer -> buffer.name + " " + uses(buffer))
                .toList());

    OffsetsAssignment plan = MemoryStrategy.GREEDY_BY_SIZE.planOffsets(arena.problem());
    int record = 0;
    for (Buffer buffer : buffers) {
      buffer.offset = buffer.last == NEVER ? 0 : plan.offset(record++);
    }
    checkApart(buffers);

    List<Long> offsets = buffers.stream().map(buffer -> buffer.offset).toList();
    assertThat(arena.headBytes(Optional.empty())).isEqualTo(greedy(buffers, false));
    int tensorCount = buffers.size() - sample.scratchBuffers.size();
    for (int i = 0; i < buffers.size(); i++) {
      buffers.get(i).offset = i < tensorCount ? offsets.get(i) : NEVER;
    }
    assertThat(arena.headBytes(Optional.of(arena.toOfflinePlan(plan))))
        .isEqualTo(greedy(buffers, true));
  }

  private static TensorUses uses(Buffer buffer) {
    return new TensorUses(
        buffer.first == NEVER ? OptionalInt.empty() : OptionalInt.of(buffer.first),
        List.copyOf(new TreeSet<>(buffer.reads)));
  }

  /** Checks that no two buffers that exist at the same time and are used share memory. */
  private static void checkApart(List<Buffer> buffers) {
    List<Integer> used =
        IntStream.range(0, buffers.size())
            .filter(i -> buffers.get(i).last != NEVER)
            .boxed()
            .toList();
    for (int i : used) {
      for (int j : used) {
        boolean isApart =
            buffers.get(i).last < buffers.get(j).first
                || buffers.get(j).last < buffers.get(i).first
                || buffers.get(i).offset >= buffers.get(j).end()
                || buffers.get(j).offset >= buffers.get(i).end();
        assertThat(i == j || isApart).as("%s %s", buffers.get(i), buffers.get(j)).isTrue();
      }
    }
  }
}
