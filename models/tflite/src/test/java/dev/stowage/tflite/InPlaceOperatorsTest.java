package dev.stowage.tflite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.InPlace;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.TensorScope;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.search.OffsetsSearch;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.testing.SampleModels;
import dev.stowage.tflite.model.InPlaceOperators;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.lite.schema.BuiltinOperator;

/** Results that may be in place of an input, by the tables of the runtimes. */
class InPlaceOperatorsTest {

  private static List<InPlace> pairs(ByteBuffer model, TensorScope scope)
      throws MalformedFileException {
    return pairs(model, TfliteOptions.defaults().withScope(scope).withInPlace());
  }

  private static List<InPlace> pairs(ByteBuffer model) throws MalformedFileException {
    return pairs(model, TensorScope.INTERMEDIATES);
  }

  private static List<InPlace> pairs(ByteBuffer model, TfliteOptions options)
      throws MalformedFileException {
    return TfliteReader.read("test.tflite", model.duplicate(), options).problem().inPlace();
  }

  /** A model in which an operator of a kind reads tensors 1 and 2 and writes tensor 3. */
  private static ByteBuffer model(int builtinCode, int... shape) {
    TestModel model = new TestModel();
    for (int i = 0; i < 5; i++) {
      model.tensor("t" + i, shape);
    }
    return model
        .operator(new int[] {0}, 1)
        .operator(new int[] {0}, 2)
        .operatorOf(builtinCode, new int[] {1, 2}, 3)
        .operator(new int[] {3}, 4)
        .write(new int[] {0}, 4);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        BuiltinOperator.ADD,
        BuiltinOperator.SUB,
        BuiltinOperator.MUL,
        BuiltinOperator.DIV,
        BuiltinOperator.SOFTMAX,
        BuiltinOperator.DYNAMIC_UPDATE_SLICE,
        BuiltinOperator.RESHAPE,
        BuiltinOperator.SQUEEZE,
        BuiltinOperator.EXPAND_DIMS,
        BuiltinOperator.BITCAST
      })
  void read_operatorsOfTheTable_mayWriteOverTheFirstInput(int code) throws Exception {
    boolean isOfMicro =
        code == BuiltinOperator.RESHAPE || code == BuiltinOperator.DYNAMIC_UPDATE_SLICE;
    ByteBuffer model = model(code, 4);
    List<InPlace> first = List.of(new InPlace(2, 0));
    assertThat(pairs(model)).isEqualTo(first);
    assertThat(InPlaceOperators.TENSORFLOW_LITE_MICRO.rule(code).isPresent()).isEqualTo(isOfMicro);
    assertThat(pairs(model, TfliteOptions.defaults())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        BuiltinOperator.CONV_2D,
        BuiltinOperator.RELU,
        BuiltinOperator.LOGISTIC,
        BuiltinOperator.CUSTOM
      })
  void read_otherOperators_needMemoryForTheirResult(int code) throws Exception {
    assertThat(pairs(model(code, 4))).isEmpty();
  }

  /** Arenas of TensorFlow Lite do not share tensors of the size of a scalar that is changed. */
  @Test
  void read_inputOfFourBytes_isKeptIfItWouldChange() throws Exception {
    assertThat(pairs(model(BuiltinOperator.ADD, 1))).isEmpty();
    assertThat(pairs(model(BuiltinOperator.RESHAPE, 1))).containsExactly(new InPlace(2, 0));
  }

  @Test
  void read_inputOfOtherBytes_isKeptForTheSecondOne() throws Exception {
    TestModel model =
        new TestModel()
            .tensor("in", 8)
            .tensor("small", 2)
            .tensor("large", 8)
            .tensor("sum", 8)
            .tensor("out", 8)
            .operator(new int[] {0}, 1)
            .operator(new int[] {0}, 2)
            .operatorOf(BuiltinOperator.ADD, new int[] {1, 2}, 3)
            .operator(new int[] {3}, 4);
    assertThat(pairs(model.write(new int[] {0}, 4))).containsExactly(new InPlace(2, 1));
  }

  @Test
  void read_inputThatIsReadAgain_isKept() throws Exception {
    TestModel model =
        new TestModel()
            .tensor("in", 8)
            .tensor("a", 8)
            .tensor("square", 8)
            .tensor("b", 8)
            .tensor("out", 8)
            .operator(new int[] {0}, 1)
            .operatorOf(BuiltinOperator.MUL, new int[] {1, 1}, 2)
            .operatorOf(BuiltinOperator.RESHAPE, new int[] {2}, 3)
            .operator(new int[] {3, 2}, 4);
    assertThat(pairs(model.write(new int[] {0}, 4))).isEmpty();
  }

  @Test
  void read_inputsAndOutputsOfTheGraph_areKept() throws Exception {
    TestModel model =
        new TestModel()
            .tensor("in", 8)
            .tensor("a", 8)
            .tensor("b", 8)
            .tensor("out", 8)
            .operatorOf(BuiltinOperator.RESHAPE, new int[] {0}, 1)
            .operatorOf(BuiltinOperator.RESHAPE, new int[] {1}, 2)
            .operatorOf(BuiltinOperator.RESHAPE, new int[] {2}, 3);
    ByteBuffer bytes = model.write(new int[] {0}, 3);
    assertThat(pairs(bytes)).containsExactly(new InPlace(1, 0));
    assertThat(pairs(bytes, TensorScope.WITH_INPUTS_AND_OUTPUTS))
        .containsExactly(new InPlace(2, 1));
  }

  @Test
  void read_realModels_needNoMoreMemoryThanWithoutPairs() throws IOException {
    int pairCount = 0;
    for (Path file : SampleModels.all(".tflite", "models/tflite")) {
      for (TensorScope scope : TensorScope.values()) {
        TfliteOptions options = TfliteOptions.defaults().withScope(scope);
        TfliteProblem plain = TfliteReader.read(file, options);
        TfliteProblem shared = TfliteReader.read(file, options.withInPlace());
        assertThat(shared.problem().records()).isEqualTo(plain.problem().records());
        assertThat(LowerBounds.of(shared.problem()).offsetsBytes())
            .isLessThanOrEqualTo(LowerBounds.of(plain.problem()).offsetsBytes());
        SearchOptions fewNodes = SearchOptions.defaults().withNodeLimit(1_000);
        assertThat(OffsetsSearch.of(shared.problem(), fewNodes).run().assignment().totalBytes())
            .as("%s", file)
            .isLessThanOrEqualTo(
                OffsetsSearch.of(plain.problem(), fewNodes).run().assignment().totalBytes());
        pairCount += shared.problem().inPlace().size();
      }
    }
    assertThat(pairCount).isPositive();
  }
}
