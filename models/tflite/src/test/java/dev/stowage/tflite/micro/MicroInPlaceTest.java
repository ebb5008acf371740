package dev.stowage.tflite.micro;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.InPlace;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.search.OffsetsSearch;
import dev.stowage.plan.search.OrderSearch;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.testing.Seeds;
import dev.stowage.tflite.offline.MicroModels;
import dev.stowage.tflite.offline.OfflinePlan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tensorflow.lite.schema.BuiltinOperator;
import org.tensorflow.lite.schema.SubGraphT;

/** Operators of TensorFlow Lite Micro that write their results over their inputs. */
class MicroInPlaceTest {

  private static final int ADD = BuiltinOperator.ADD;
  private static final int RESHAPE = BuiltinOperator.RESHAPE;
  private static final int UPDATE = BuiltinOperator.DYNAMIC_UPDATE_SLICE;

  static LongStream seeds() {
    return Seeds.of(40);
  }

  @Test
  void problem_reshapeOfATensorThatEndsThere_mayBeInPlace() throws IOException {
    assertThat(pairs(RESHAPE, 2)).containsExactly(new InPlace(1, 0));
    assertThat(pairs(UPDATE, 2)).containsExactly(new InPlace(1, 0));
  }

  @Test
  void problem_operatorThatDoesNotComparePointers_isNotInPlace() throws IOException {
    assertThat(pairs(BuiltinOperator.SQUEEZE, 2)).isEmpty();
    assertThat(pairs(BuiltinOperator.EXPAND_DIMS, 2)).isEmpty();
    assertThat(pairs(BuiltinOperator.LOGISTIC, 2)).isEmpty();
    assertThat(pairs(ADD, 2)).isEmpty();
  }

  @Test
  void problem_inputThatIsAnOutputOfTheModel_isNotOverwritten() throws IOException {
    assertThat(pairs(UPDATE, 1)).isEmpty();
  }

  @Test
  void problem_withoutInPlace_hasNoPairs() throws IOException {
    assertThat(chain(RESHAPE, 2).problem().inPlace()).isEmpty();
  }

  @Test
  void problem_inputThatIsReadLater_isNotOverwritten() throws IOException {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(64, 64, 64);
    main.setInputs(new int[] {0});
    main.setOutputs(new int[] {2});
    model.operator(main, RESHAPE, new int[] {0}, 1).operator(main, ADD, new int[] {0, 1}, 2);
    assertThat(read(model).withInPlace().problem().inPlace()).isEmpty();
  }

  @Test
  void problem_inputThatTheOperatorReadsTwice_isNotOverwritten() throws IOException {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(64, 64);
    main.setInputs(new int[] {0});
    main.setOutputs(new int[] {1});
    model.operator(main, UPDATE, new int[] {0, 0}, 1);
    assertThat(read(model).withInPlace().problem().inPlace()).isEmpty();
  }

  @Test
  void problem_variablesAndTensorsThatNothingWrites_areNotOverwritten() throws IOException {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(64, 64, 64, 64);
    main.getTensors()[0].setIsVariable(true);
    main.setOutputs(new int[] {1, 3});
    model.operator(main, UPDATE, new int[] {0}, 1).operator(main, UPDATE, new int[] {2}, 3);
    assertThat(read(model).withInPlace().problem().inPlace()).isEmpty();
  }

  @Test
  void problem_resultOfAnotherSize_isNotInPlace() throws IOException {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(64, 32);
    main.setInputs(new int[] {0});
    main.setOutputs(new int[] {1});
    model.operator(main, RESHAPE, new int[] {0}, 1);
    assertThat(read(model).withInPlace().problem().inPlace()).isEmpty();
  }

  @Test
  void violation_planInPlace_isAllowedOnlyAtTheSameOffset() throws IOException {
    MicroArena arena = chain(RESHAPE, 2);
    assertThat(arena.placed(OfflinePlan.of(0, 0, 64)).violation()).isEmpty();
    assertThat(arena.placed(OfflinePlan.of(0, 16, 80)).violation()).isPresent();
    assertThat(arena.placed(OfflinePlan.of(0, 64, 64)).violation()).isPresent();
  }

  @Test
  void headBytes_planInPlace_isSmaller() throws IOException {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(64, 64);
    main.setInputs(new int[] {0});
    main.setOutputs(new int[] {1});
    model.operator(main, RESHAPE, new int[] {0}, 1);
    MicroArena arena = read(model);
    assertThat(headBytes(arena)).isEqualTo(128);
    assertThat(headBytes(arena.withInPlace())).isEqualTo(64);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void operators_randomModel_haveALoadThatNoOrderIsBelow(long seed) throws IOException {
    Random random = new Random(seed);
    MicroModels model = new MicroModels();
    int count = 2 + random.nextInt(5);
    int[] bytes = new int[count + 1];
    List<int[]> inputs = new ArrayList<>();
    bytes[0] = 16 << random.nextInt(3);
    for (int k = 1; k <= count; k++) {
      int first = random.nextInt(k);
      bytes[k] = random.nextInt(4) == 0 ? 16 << random.nextInt(3) : bytes[first];
      inputs.add(random.nextBoolean() ? new int[] {first} : new int[] {first, random.nextInt(k)});
    }
    SubGraphT main = model.subgraph(bytes);
    main.setInputs(new int[] {0});
    main.setOutputs(
        IntStream.rangeClosed(1, count)
            .filter(t -> t == count || random.nextInt(4) == 0)
            .toArray());
    int[] codes =
        IntStream.range(0, count).map(_ -> random.nextInt(3) == 0 ? ADD : UPDATE).toArray();
    for (int k = 0; k < count; k++) {
      model.operator(main, codes[k], inputs.get(k), k + 1);
    }
    MicroArena arena = read(model).withInPlace();
    long smallest = new Orders(bytes, inputs, codes, main.getOutputs()).smallestLoad();
    assertThat(load(arena.operators().orElseThrow())).isLessThanOrEqualTo(smallest);
    for (MicroOperators further : arena.furtherOperators()) {
      assertThat(load(further)).isGreaterThanOrEqualTo(smallest);
    }
  }

  /** All orders of the operators of a model, by brute force; operator k writes tensor k + 1. */
  private static final class Orders {

    private final int[] bytes;
    private final List<int[]> inputs;
    private final int[] codes;
    private final int[] outputs;

    Orders(int[] bytes, List<int[]> inputs, int[] codes, int[] outputs) {
      this.bytes = bytes;
      this.inputs = inputs;
      this.codes = codes;
      this.outputs = outputs;
    }

    long smallestLoad() {
      return smallestLoad(new ArrayList<>());
    }

    private long smallestLoad(List<Integer> order) {
      if (order.size() == codes.length) {
        return load(order);
      }
      long smallest = Long.MAX_VALUE;
      for (int k = 0; k < codes.length; k++) {
        boolean isReady =
            IntStream.of(inputs.get(k))
                .allMatch(tensor -> tensor == 0 || order.contains(tensor - 1));
        if (isReady && !order.contains(k)) {
          order.add(k);
          smallest = Math.min(smallest, smallestLoad(order));
          order.removeLast();
        }
      }
      return smallest;
    }

    private long load(List<Integer> order) {
      long highest = bytes[0];
      for (int at = 0; at < order.size(); at++) {
        BitSet live = new BitSet();
        for (int tensor = 0; tensor < bytes.length; tensor++) {
          int first = tensor == 0 ? -1 : order.indexOf(tensor - 1);
          if (first <= at && at <= last(tensor, order)) {
            live.set(tensor);
          }
        }
        int operator = order.get(at);
        int source = inputs.get(operator)[0];
        boolean isShared =
            codes[operator] == UPDATE
                && bytes[source] == bytes[operator + 1]
                && last(source, order) == at
                && IntStream.of(outputs).noneMatch(output -> output == source)
                && IntStream.of(inputs.get(operator)).filter(input -> input == source).count() == 1;
        long load = live.stream().mapToLong(tensor -> bytes[tensor]).sum();
        highest = Math.max(highest, isShared ? load - bytes[source] : load);
      }
      return highest;
    }

    private int last(int tensor, List<Integer> order) {
      if (IntStream.of(outputs).anyMatch(output -> output == tensor)) {
        return order.size() - 1;
      }
      int last = tensor == 0 ? -1 : order.indexOf(tensor - 1);
      for (int k = 0; k < codes.length; k++) {
        for (int input : inputs.get(k)) {
          last = input == tensor ? Math.max(last, order.indexOf(k)) : last;
        }
      }
      return last;
    }
  }

  private static long load(MicroOperators operators) {
    return OrderSearch.of(operators.problem(), operators.graph(), SearchOptions.defaults())
        .run()
        .lowerBoundBytes();
  }

  private static long headBytes(MicroArena arena) {
    PlanProblem problem = arena.problem();
    OfflinePlan plan =
        arena.toOfflinePlan(OffsetsSearch.of(problem, SearchOptions.defaults()).run().assignment());
    assertThat(arena.placed(plan).violation()).isEmpty();
    return arena.headBytes(Optional.of(plan));
  }

  private static List<InPlace> pairs(int code, int output) throws IOException {
    return chain(code, output).withInPlace().problem().inPlace();
  }

  /** Tensor 0 becomes tensor 1 by an operator, and tensor 1 becomes tensor 2 by ADD. */
  private static MicroArena chain(int code, int output) throws IOException {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(64, 64, 64);
    main.setInputs(new int[] {0});
    main.setOutputs(output == 2 ? new int[] {2} : new int[] {0, 2});
    model.operator(main, code, new int[] {0}, 1).operator(main, ADD, new int[] {1}, 2);
    return read(model);
  }

  private static MicroArena read(MicroModels model) throws IOException {
    return MicroArenaReader.read("model", ByteBuffer.wrap(model.write()));
  }
}
