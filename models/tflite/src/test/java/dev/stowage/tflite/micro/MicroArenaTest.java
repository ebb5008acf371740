package dev.stowage.tflite.micro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.stowage.plan.InPlace;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.strategy.MemoryStrategy;
import dev.stowage.testing.SampleModels;
import dev.stowage.tflite.offline.MicroModels;
import dev.stowage.tflite.offline.OfflinePlan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tensorflow.lite.schema.BuiltinOperator;
import org.tensorflow.lite.schema.SubGraphT;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The arena of TensorFlow Lite Micro: its tensors and their lifetimes. */
class MicroArenaTest {

  private static final int ADD = BuiltinOperator.ADD;

  @Test
  void read_chain_plansInputsAndOutputsInMultiplesOfSixteen() throws IOException {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(1, 17, 16);
    main.setInputs(new int[] {0});
    main.setOutputs(new int[] {2});
    model.operator(main, ADD, new int[] {0}, 1).operator(main, ADD, new int[] {1}, 2);
    MicroArena arena = read(model);
    assertThat(lifetimes(arena))
        .containsExactly("s0t0 16 bytes 0..1", "s0t1 32 bytes 1..2", "s0t2 16 bytes 2..2");
    assertThat(arena.scopeLabels()).containsExactly("inputs", "ADD 0", "ADD 1");
    assertThat(arena.problem().alignment()).isEqualTo(16);
    assertThat(arena.tensorCount()).isEqualTo(3);
    assertThat(arena.filePlan()).isEmpty();
  }

  /** The tail and scratch buffers are added to the head without an overflow. */
  @Test
  void read_sumOfDamagedTensors_isBounded() throws IOException {
    int[] shape = {1 << 30, 1 << 30, 2}; // 2^61 bytes
    MicroModels one = new MicroModels();
    one.subgraph(16).getTensors()[0].setShape(shape);
    assertThat(read(one).tail(Optional.empty()).arenaBytes(1L << 61)).isGreaterThan(1L << 61);
    MicroModels two = new MicroModels();
    SubGraphT main = two.subgraph(16, 16);
    main.getTensors()[0].setShape(shape);
    main.getTensors()[1].setShape(shape);
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> read(two))
        .withMessageContaining(
            "is the first tensor at which the sum of all exceeds 2^62 bytes, expected fewer");
  }

  @Test
  void read_elementsOfFourBits_haveAByteEach() throws IOException {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(16, 100);
    main.getTensors()[1].setType((byte) 17); // INT4
    main.setInputs(new int[] {0});
    main.setOutputs(new int[] {1});
    model.operator(main, ADD, new int[] {0}, 1);
    assertThat(lifetimes(read(model))).containsExactly("s0t0 16 bytes 0..1", "s0t1 112 bytes 1..1");
  }

  @Test
  void read_if_runsBothBranchesWithinTheScopesOfTheOperator() throws IOException {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(16, 16, 16);
    main.setInputs(new int[] {0});
    main.setOutputs(new int[] {2});
    model
        .operator(main, ADD, new int[] {0}, 1)
        .call(main, BuiltinOperator.IF, new int[] {1, 2}, new int[] {0, 1}, 2);
    for (int branch = 0; branch < 2; branch++) {
      SubGraphT called = model.subgraph(16, 16);
      called.setInputs(new int[] {0});
      called.setOutputs(new int[] {1});
      model.operator(called, ADD, new int[] {0}, 1);
    }
    MicroArena arena = read(model);
    assertThat(lifetimes(arena))
        .containsExactly(
            "s0t0 16 bytes 0..6",
            "s0t1 16 bytes 1..6",
            "s0t2 16 bytes 2..6",
            "s1t0 16 bytes 3..4",
            "s1t1 16 bytes 4..4",
            "s2t0 16 bytes 5..6",
            "s2t1 16 bytes 6..6");
    assertThat(arena.scopeLabels())
        .containsExactly(
            "inputs",
            "ADD 0",
            "IF 1",
            "IF 1, subgraph 1 inputs",
            "IF 1, subgraph 1 ADD 0",
            "IF 1, subgraph 2 inputs",
            "IF 1, subgraph 2 ADD 0");
  }

  @Test
  void read_subgraphCalledTwice_livesFromTheFirstToTheLastCall() throws IOException {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(16);
    model
        .call(main, BuiltinOperator.CALL_ONCE, new int[] {1}, new int[0])
        .operator(main, ADD, new int[0], 0)
        .call(main, BuiltinOperator.WHILE, new int[] {1, 1}, new int[] {0}, 0);
    SubGraphT called = model.subgraph(32);
    model.operator(called, ADD, new int[0], 0);
    assertThat(lifetimes(read(model))).containsExactly("s0t0 16 bytes 4..9", "s1t0 32 bytes 3..9");
  }

  @Test
  void read_subgraphThatNothingCalls_isUnusedAndExistsAtOnceAtRunTime() throws IOException {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(16, 16);
    main.setInputs(new int[] {0});
    model.operator(main, ADD, new int[] {0}, 1);
    SubGraphT other = model.subgraph(100, 200);
    model.operator(other, ADD, new int[] {0}, 1);
    MicroArena arena = read(model);
    assertThat(arena.problem().records()).hasSize(2);
    assertThat(arena.unusedTensors())
        .extracting(tensor -> tensor.id().planIndex(), MicroTensor::bytes)
        .containsExactly(tuple(2, 112L), tuple(3, 208L));
    assertThat(headBytes(arena.atRunTime(Optional.empty()))).isEqualTo(320);
  }

  @Test
  void read_tensorThatIsOnlyRead_isLiveFromTheStart() throws IOException {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(16, 16, 16);
    model.operator(main, ADD, new int[] {}, 1).operator(main, ADD, new int[] {0, 1}, 2);
    MicroArena arena = read(model);
    assertThat(lifetimes(arena))
        .containsExactly("s0t0 16 bytes 0..2", "s0t1 16 bytes 1..2", "s0t2 16 bytes 2..2");
    assertThat(arena.plannedTensors().getFirst().lifetime().first()).isEqualTo(-1);
  }

  @Test
  void read_constantsAndVariables_areNotPlannedUnlessAPlanPlacesThem() throws IOException {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(16, 20, 16);
    main.getTensors()[0].setBuffer(model.data((byte) 1));
    main.getTensors()[1].setIsVariable(true);
    model.operator(main, ADD, new int[] {0, 1}, 2);
    MicroArena arena = read(model);
    assertThat(lifetimes(arena)).containsExactly("s0t2 16 bytes 1..1");
    assertThat(arena.variableBytes()).isEqualTo(32);
    MicroArena planned = read(model.plan(-1, 48, 0));
    assertThat(headBytes(planned.atRunTime(planned.filePlan()))).isEqualTo(80);
    assertThat(headBytes(planned.atRunTime(Optional.empty()))).isEqualTo(16);
  }

  @Test
  void read_planInTheFile_pinsItsTensorsAndPlacesTheOthersAround() throws IOException {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(16, 32, 16);
    model.operator(main, ADD, new int[0], 0, 1, 2).plan(32, -1, -1);
    MicroArena arena = read(model);
    OfflinePlan plan = arena.filePlan().orElseThrow();
    assertThat(plan.offset(0)).hasValue(32);
    assertThat(plan.offset(1)).isEmpty();
    assertThat(headBytes(arena.atRunTime(arena.filePlan()))).isEqualTo(64);
  }

  @Test
  void read_subgraphThatCallsItself_isAnError() {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(16);
    model.call(main, BuiltinOperator.WHILE, new int[] {1, 1}, new int[] {0}, 0);
    SubGraphT body = model.subgraph(16);
    model.call(body, BuiltinOperator.IF, new int[] {1, 1}, new int[] {0}, 0);
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> read(model))
        .withMessage("model: subgraph 1: calls itself, expected subgraphs that end");
  }

  @Tag("full")
  @Test
  void read_callsThatDoubleAtEachLevel_endWithAnError() {
    MicroModels model = new MicroModels();
    for (int level = 0; level < 40; level++) {
      SubGraphT subgraph = model.subgraph(16);
      if (level < 39) {
        int[] next = {level + 1, level + 1};
        model.call(subgraph, BuiltinOperator.IF, next, new int[] {0}, 0);
      }
    }
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> read(model))
        .withMessageContaining("executes more than 1000000 operators in nested subgraphs");
  }

  @Test
  void read_callOfNoSubgraph_isAnError() {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(16);
    model.call(main, BuiltinOperator.CALL_ONCE, new int[] {7}, new int[] {0}, 0);
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> read(model))
        .withMessage(
            "model: operator 0: calls subgraph 7, expected 0 or more and less than 1, the number of subgraphs");
  }

  @Test
  void read_planForAnotherNumberOfTensors_isAnError() {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(16, 16);
    model.operator(main, ADD, new int[] {0}, 1).plan(0);
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> read(model))
        .withMessageEndingWith(
            "has 16 bytes and 1 offsets, expected 20 bytes and 2 offsets, one for each tensor");
  }

  @Test
  void read_planWithAWrongOffset_isAnError() {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(16, 16);
    model.operator(main, ADD, new int[] {0}, 1).plan(0, -2);
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> read(model))
        .withMessageEndingWith(
            "has offset -2 for tensor 1, expected 0 or more, or -1 for a tensor placed at run time");
  }

  @Test
  void withInPlace_reshapeAndDynamicUpdateSlice_mayShareMemoryWithTheirFirstInput()
      throws IOException {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(64, 64, 16, 64, 64);
    main.setInputs(new int[] {0, 2});
    main.setOutputs(new int[] {4});
    model
        .operator(main, BuiltinOperator.RESHAPE, new int[] {0}, 1)
        .operator(main, BuiltinOperator.DYNAMIC_UPDATE_SLICE, new int[] {1, 2}, 3)
        .operator(main, BuiltinOperator.SQUEEZE, new int[] {3}, 4);
    MicroArena arena = read(model);
    assertThat(arena.problem().inPlace()).isEmpty();
    assertThat(arena.withInPlace().problem().inPlace())
        .containsExactly(new InPlace(1, 0), new InPlace(3, 1));
  }

  @Test
  void withInPlace_inputThatIsUsedLater_isNoPair() throws IOException {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(64, 64, 64, 16, 80);
    main.setInputs(new int[] {0, 3});
    main.setOutputs(new int[] {0, 2, 4});
    model
        .operator(main, BuiltinOperator.RESHAPE, new int[] {0}, 1) // an output of the graph
        .operator(main, BuiltinOperator.DYNAMIC_UPDATE_SLICE, new int[] {1, 1}, 2) // read twice
        .operator(main, BuiltinOperator.RESHAPE, new int[] {3}, 4); // of another size
    assertThat(read(model).withInPlace().problem().inPlace()).isEmpty();
  }

  @Test
  void read_handlesOfVariables_areOnlyPlacedAtRunTime() throws IOException {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(1, 32, 64);
    main.getTensors()[0].setType((byte) 13); // RESOURCE
    main.setInputs(new int[] {0, 1});
    model.operator(main, ADD, new int[] {0, 1}, 2);
    MicroArena arena = read(model);
    assertThat(arena.plannedTensors()).hasSize(2);
    assertThat(arena.notes()).isNotEmpty();
    assertThat(headBytes(arena.atRunTime(Optional.empty()))).isEqualTo(16 + 32 + 64);
    assertThat(headBytes(arena.atRunTime(Optional.of(OfflinePlan.of(-1, 0, 32)))))
        .isEqualTo(16 + 32 + 64);
  }

  @Test
  void read_handlesOfVarHandle_areNotInTheHead() throws IOException {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(1, 32, 64);
    main.getTensors()[0].setType((byte) 13); // RESOURCE
    main.setInputs(new int[] {1});
    model
        .operator(main, BuiltinOperator.VAR_HANDLE, new int[0], 0)
        .operator(main, ADD, new int[] {0, 1}, 2);
    MicroArena arena = read(model);
    assertThat(arena.notes()).isEmpty();
    assertThat(headBytes(arena.atRunTime(Optional.empty()))).isEqualTo(32 + 64);
  }

  @Test
  void violation_resultInPlaceOfItsInput_isNone() throws IOException {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(64, 64, 64);
    main.setInputs(new int[] {0});
    model
        .operator(main, BuiltinOperator.RESHAPE, new int[] {0}, 1)
        .operator(main, ADD, new int[] {1}, 2);
    MicroArena shared = read(model.plan(0, 0, 64));
    assertThat(shared.placed(shared.filePlan().orElseThrow()).violation()).isEmpty();
    OfflinePlan wrong = OfflinePlan.of(0, 64, 64);
    assertThat(shared.placed(wrong).violation()).isPresent();
  }

  @Test
  void scratchOperators_ofKernels_areThoseOfTheTable() throws IOException {
    MicroModels model = new MicroModels();
    SubGraphT main = model.subgraph(16, 16, 16, 16);
    main.getTensors()[1].setType((byte) 17); // INT4
    main.getTensors()[3].setType((byte) 0); // FLOAT32
    model
        .operator(main, BuiltinOperator.SVDF, new int[] {0}, 2)
        .operator(main, BuiltinOperator.CONV_2D, new int[] {0, 1}, 2)
        .operator(main, BuiltinOperator.CONV_2D, new int[] {0, 2}, 2)
        .operator(main, BuiltinOperator.CONV_2D, new int[] {3, 3}, 3)
        .operator(main, BuiltinOperator.TRANSPOSE_CONV, new int[] {3, 0, 0}, 2)
        .operator(main, ADD, new int[] {0, 2}, 2)
        .operator(main, BuiltinOperator.MEAN, new int[] {}, 2);
    SubGraphT other = model.subgraph(16);
    model.operator(other, BuiltinOperator.CUSTOM, new int[] {0}, 0);
    assertThat(read(model).scratchOperators())
        .isEqualTo(
            new ScratchOperators(
                List.of("SVDF 0", "CONV_2D 1", "TRANSPOSE_CONV 4", "MEAN 6"),
                List.of("CONV_2D 2"),
                List.of("subgraph 1 CUSTOM 0")));
  }

  @Test
  void read_realModels_agreesWithAnIndependentReader() throws IOException {
    for (Path folder : SampleModels.folders("models/tflite")) {
      assertAgreesWithAnIndependentReader(folder);
    }
  }

  private static void assertAgreesWithAnIndependentReader(Path folder) throws IOException {
    JsonNode expected = new ObjectMapper().readTree(folder.resolve("tflm_expected.json").toFile());
    Map<String, List<Long>> found = new TreeMap<>();
    Map<String, List<Long>> figures = new TreeMap<>();
    for (Map.Entry<String, JsonNode> model : expected.properties()) {
      JsonNode figure = model.getValue();
      figures.put(
          model.getKey(),
          List.of(
              figure.get("tensors").longValue(),
              figure.get("records").longValue(),
              figure.get("carries_plan").booleanValue() ? 1L : 0));
      MicroArena arena = MicroArenaReader.read(folder.resolve(model.getKey()));
      found.put(
          model.getKey(),
          List.of(
              (long) arena.tensorCount(),
              (long) arena.plannedTensors().size() + arena.unusedTensors().size(),
              arena.filePlan().isPresent() ? 1L : 0));
    }
    assertThat(found).isEqualTo(figures).isNotEmpty();
  }

  @Test
  void atRunTime_realModelsWithoutScratch_hasTheHeadOfTheInterpreter() throws IOException {
    for (Path folder : SampleModels.folders("models/tflite")) {
      assertHasTheHeadOfTheInterpreter(folder);
    }
  }

  private static void assertHasTheHeadOfTheInterpreter(Path folder) throws IOException {
    JsonNode expected = new ObjectMapper().readTree(folder.resolve("tflm_expected.json").toFile());
    // The kernels of these two also ask for scratch buffers.
    List<String> withScratch = List.of("keyword_scrambled_8bit.tflite", "trained_lstm_int8.tflite");
    List<String> compared = new ArrayList<>();
    for (Map.Entry<String, JsonNode> model : expected.properties()) {
      JsonNode headBytes = model.getValue().get("tflm_head_bytes");
      if (!headBytes.isNull() && !withScratch.contains(model.getKey())) {
        MicroArena arena = MicroArenaReader.read(folder.resolve(model.getKey()));
        assertThat(headBytes(arena.atRunTime(arena.filePlan())))
            .as(model.getKey())
            .isEqualTo(headBytes.longValue());
        compared.add(model.getKey());
      }
    }
    assertThat(compared).hasSizeGreaterThan(4);
  }

  private static MicroArena read(MicroModels model) throws MalformedFileException {
    return MicroArenaReader.read("model", ByteBuffer.wrap(model.write()));
  }

  private static long headBytes(PlanProblem problem) {
    return MemoryStrategy.TFLM_GREEDY.planOffsets(problem).totalBytes();
  }

  private static List<String> lifetimes(MicroArena arena) {
    return arena.problem().records().stream()
        .map(record ->
            "%s %s bytes %s..%s"
                .formatted(record.name(), record.bytes(), record.firstTask(), record.lastTask()))
        .toList();
  }
}
