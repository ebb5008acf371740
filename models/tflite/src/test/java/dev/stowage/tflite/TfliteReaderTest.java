package dev.stowage.tflite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.TensorScope;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.TensorUses;
import dev.stowage.testing.SampleModels;
import dev.stowage.tflite.offline.MicroModels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tensorflow.lite.schema.BuiltinOperator;

class TfliteReaderTest {

  private static final TensorScope INTERMEDIATES = TensorScope.INTERMEDIATES;
  private static final TensorScope WITH_IO = TensorScope.WITH_INPUTS_AND_OUTPUTS;

  /** {@return the record of a tensor of 16 bytes} */
  private static TensorUsageRecord record(long firstTask, long lastTask, String name) {
    return TensorUsageRecord.of(16, firstTask, lastTask).withName(name);
  }

  /** {@return a tensor of a chain} */
  private static TfliteTensor tensor(int index, String name, Integer... shape) {
    return new TfliteTensor(
        index,
        name,
        new TensorType(List.of(shape), "FLOAT32"),
        new TensorUses(OptionalInt.of(index - 1), List.of(index)));
  }

  @Test
  void read_operators_haveTheirKinds() throws IOException {
    TestModel model = new TestModel().tensor("a", 1).tensor("b", 1).tensor("c", 1);
    model.operatorOf(BuiltinOperator.CONV_2D, new int[] {0}, 1);
    model.operatorOf(BuiltinOperator.RESHAPE, new int[] {1}, 2).operator(new int[] {1}, 2);
    model.operatorOf(9_999, new int[] {1}, 2);
    assertThat(read(model.write(new int[] {0}, 2), INTERMEDIATES).kinds())
        .containsExactly("CONV_2D", "RESHAPE", TestModel.CUSTOM_CODE, "BUILTIN_9999");
  }

  @Test
  void read_chain_hasARecordOfEachIntermediate() throws IOException {
    // t0 -0-> t1 -1-> t2 -2-> t3
    TfliteProblem model = read(TestModel.chain(2).write(new int[] {0}, 3), INTERMEDIATES);
    assertThat(model.problem().records()).containsExactly(record(0, 1, "t1"), record(1, 2, "t2"));
    assertThat(model.tensors()).containsExactly(tensor(1, "t1", 4), tensor(2, "t2", 4));
    assertThat(model.kinds()).hasSize(3);
    assertThat(model.notes()).isEmpty();
  }

  @Test
  void read_chainWithInputsAndOutputs_hasInputsFirstAndOutputsToTheEnd() throws IOException {
    TfliteProblem model = read(TestModel.chain(2).write(new int[] {0}, 1), WITH_IO);
    assertThat(model.problem().records())
        .containsExactly(
            record(0, 0, "t0"), record(0, 2, "t1"), record(1, 2, "t2"), record(2, 2, "t3"));
  }

  @Test
  void read_tensorThatOperatorsReadTwice_countsTheOperators() throws IOException {
    TestModel model = TestModel.chain(1).tensor("sum", 4).tensor("end", 4);
    model.operator(new int[] {1, 1}, 3).operator(new int[] {1, 3, 1}, 4);
    TfliteProblem problem = read(model.write(new int[] {0}, 3), WITH_IO);
    assertThat(problem.tensors())
        .extracting(TfliteTensor::name)
        .containsExactly("t0", "t1", "t2", "sum", "end");
    // The caller's read of the output "sum" does not count.
    assertThat(problem.tensors())
        .extracting(TfliteTensor::uses)
        .containsExactly(
            new TensorUses(OptionalInt.empty(), List.of(0)),
            new TensorUses(OptionalInt.of(0), List.of(1, 2, 3)),
            new TensorUses(OptionalInt.of(1), List.of()),
            new TensorUses(OptionalInt.of(2), List.of(3)),
            new TensorUses(OptionalInt.of(3), List.of()));
  }

  @Test
  void read_inputsInAnotherOrderThanTensors_keepsTheInputsOrder() throws IOException {
    TestModel model = new TestModel().tensor("a", 1).tensor("b", 1).tensor("c", 1).tensor("d", 1);
    model.operator(new int[] {0, 1}, 3, 2);
    TfliteProblem problem = read(model.write(new int[] {1, 0, 1}), WITH_IO);
    assertThat(problem.tensors())
        .extracting(TfliteTensor::name)
        .containsExactly("b", "a", "d", "c");
  }

  @Test
  void read_inputThatIsAnOutput_livesThroughout() throws IOException {
    ByteBuffer bytes = TestModel.chain(2).write(new int[] {0}, 0, 3);
    assertThat(read(bytes, WITH_IO).problem().records()).startsWith(record(0, 2, "t0"));
  }

  @Test
  void read_inputThatNothingReads_livesAtTaskZero() throws IOException {
    TestModel model = TestModel.chain(1).tensor("unused", 4);
    assertThat(read(model.write(new int[] {3}, 2), WITH_IO).problem().records())
        .startsWith(record(0, 0, "unused"));
  }

  @Test
  void read_noOperators_hasInputsAtTaskZero() throws IOException {
    TfliteProblem model = read(new TestModel().tensor("a", 4).write(new int[] {0}, 0), WITH_IO);
    assertThat(model.problem().records()).containsExactly(record(0, 0, "a"));
    assertThat(model.kinds()).isEmpty();
  }

  @Test
  void read_tensorThatNothingReads_livesAtItsProducer() throws IOException {
    TestModel model = TestModel.chain(1).tensor("unread", 4).operator(new int[] {2, -1}, 3);
    assertThat(read(model.write(new int[] {0}, 2), INTERMEDIATES).problem().records())
        .containsExactly(record(0, 1, "t1"), record(2, 2, "unread"));
  }

  @Test
  void read_tensorProducedTwice_livesUntilTheSecondTime() throws IOException {
    TestModel model = TestModel.chain(2).operator(new int[] {}, 1);
    assertThat(read(model.write(new int[] {0}, 3), INTERMEDIATES).problem().records())
        .containsExactly(record(0, 3, "t1"), record(1, 2, "t2"));
  }

  @Test
  void read_constantsVariablesAndEmptyTensors_arePlannedNowhere() throws IOException {
    TestModel model = new TestModel().buffer(4).externalBuffer(64, 4).buffer(0);
    model.tensor("constant", TestModel.FLOAT32, 1, false, 1);
    model.tensor("external", TestModel.FLOAT32, 2, false, 1);
    model.tensor("variable", TestModel.FLOAT32, 0, true, 1);
    model.tensor("empty", TestModel.FLOAT32, 0, false, 4, 0);
    model.tensor("planned", TestModel.FLOAT32, 3, false, 1);
    TfliteProblem problem =
        read(model.operator(new int[] {2}, 0, 1, 2, 3, 4).write(new int[] {0, 2}, 1), WITH_IO);
    assertThat(problem.tensors()).extracting(TfliteTensor::name).containsExactly("planned");
    assertThat(problem.notes()).containsExactly("1 variable is not planned (4 bytes): variable");
  }

  @Test
  void read_variableReadBeforeItIsProduced_isFine() throws IOException {
    TestModel model = TestModel.chain(1).tensor("state", TestModel.FLOAT32, 0, true, 4);
    model.operator(new int[] {3}).operator(new int[] {}, 3);
    assertThat(read(model.write(new int[] {0}, 2), INTERMEDIATES).tensors()).hasSize(1);
  }

  @Test
  void read_tensorsOfUnknownSize_areSkippedWithOneNote() throws IOException {
    TestModel model = new TestModel().tensor("dynamic", 4, -1);
    model.tensor("text", 5, 0, false, 4).tensor("", 99, 0, false).tensor("x", 13, 0, false);
    model.operator(new int[] {}, 0, 1, 2, 3);
    TfliteProblem problem = read(model.write(new int[] {}), INTERMEDIATES);
    assertThat(problem.tensors()).isEmpty();
    assertThat(problem.notes())
        .containsExactly(
            "4 tensors of unknown size are not planned: dynamic (dimension 1 is -1), text (type STRING), tensor 2 (type 99), ...");
  }

  /** A compiler for an accelerator declares its working memory like this. */
  @Test
  void read_tensorsThatNoOperatorComputes_areInANote() throws IOException {
    TestModel model = new TestModel().tensor("in", TestModel.FLOAT32, 0, false, 4);
    model.tensor("scratch", TestModel.FLOAT32, 0, false, 250);
    model
        .tensor("", TestModel.FLOAT32, 0, false, 250)
        .tensor("out", TestModel.FLOAT32, 0, false, 4);
    model.tensor("empty", TestModel.FLOAT32, 0, false, 0);
    model.tensor("unused", TestModel.FLOAT32, 0, false, 4);
    model.operator(new int[] {0, 1, 2, 4}, 3);
    TfliteProblem problem = read(model.write(new int[] {0}, 3), WITH_IO);
    assertThat(problem.tensors()).hasSize(2);
    assertThat(problem.notes())
        .containsExactly(
            "2 tensors that no operator computes are not planned (2,000 bytes): scratch, tensor 2");
  }

  @Test
  void read_outputThatNoOperatorComputes_isInANote() throws IOException {
    TestModel model = new TestModel().tensor("out", TestModel.FLOAT32, 0, false, 4);
    assertThat(read(model.write(new int[] {}, 0), WITH_IO).notes())
        .containsExactly("1 tensor that no operator computes is not planned (16 bytes): out");
  }

  @Test
  void read_furtherSubgraphsWithTensors_areInANoteWithTheirBytes() throws IOException {
    MicroModels model = new MicroModels();
    model.subgraph(16);
    model.subgraph(100, 0, 200);
    model.subgraph(1);
    ByteBuffer bytes = ByteBuffer.wrap(model.write());
    assertThat(read(bytes, INTERMEDIATES).notes())
        .containsExactly(
            "2 further subgraphs are not planned (3 tensors, 301 bytes): subgraph 1, subgraph 2");
  }

  @Test
  void read_furtherSubgraphs_areSkippedWithANote() throws IOException {
    TestModel model = TestModel.chain(1).furtherSubgraph("cond").furtherSubgraph("");
    assertThat(read(model.write(new int[] {0}, 2), INTERMEDIATES).notes())
        .containsExactly("2 further subgraphs are not planned: cond, subgraph 2");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 12", "1, 6", "2, 12", "3, 3", "4, 24", "6, 3", "7, 6", "8, 24", "9, 3", "10, 24", "11, 48",
    "12, 24", "15, 12", "16, 6", "17, 2", "18, 6", "19, 1", "20, 2"
  })
  void read_threeElementsOfEachType_takeWholeBytes(int type, long bytes) throws IOException {
    TestModel model = new TestModel().tensor("a", type, 0, false, 3).operator(new int[] {}, 0);
    assertThat(read(model.write(new int[] {}), INTERMEDIATES).problem().naiveBytes())
        .isEqualTo(bytes);
  }

  @Test
  void read_scalar_isOneElement() throws IOException {
    TestModel model = new TestModel().tensor("a").operator(new int[] {}, 0);
    assertThat(read(model.write(new int[] {}), INTERMEDIATES).problem().naiveBytes()).isEqualTo(4);
  }

  @Test
  void read_nameOfMegabytes_isCutBetweenCharacters() throws IOException {
    TestModel model = new TestModel().tensor("x" + "é".repeat(1 << 20), 1);
    TfliteProblem problem = read(model.operator(new int[] {}, 0).write(new int[] {}), WITH_IO);
    assertThat(problem.tensors().getFirst().name()).isEqualTo("x" + "é".repeat(499) + "…");
  }

  @Test
  void read_nameThatIsNotUtf8_hasItReplaced() throws IOException {
    TestModel model = new TestModel();
    int name = model.builder().createByteVector(new byte[] {'a', (byte) 0xFF, 'b'});
    int shape = model.builder().createVectorOfTables(new int[0]);
    model.tensor(name, TestModel.FLOAT32, 0, false, shape).operator(new int[] {}, 0);
    assertThat(read(model.write(new int[] {}), WITH_IO).tensors().getFirst().name())
        .isEqualTo("a\uFFFDb");
  }

  @Test
  void read_bufferWithAPosition_readsFromThereAndMovesNothing() throws IOException {
    ByteBuffer bytes = TestModel.chain(1).write(new int[] {0}, 2);
    ByteBuffer shifted = ByteBuffer.allocate(bytes.remaining() + 3).position(3).put(bytes);
    shifted.position(3);
    assertThat(read(shifted, INTERMEDIATES).tensors()).hasSize(1);
    assertThat(shifted.position()).isEqualTo(3);
  }

  @Test
  void read_file_isReadAsItsBytes(@TempDir Path folder) throws IOException {
    ByteBuffer bytes = TestModel.chain(3).write(new int[] {0}, 4);
    Path file = Files.write(folder.resolve("model.tflite"), TestModel.bytesOf(bytes));
    assertThat(TfliteReader.read(file, WITH_IO)).isEqualTo(read(bytes, WITH_IO));
  }

  @Test
  void read_fileBeyondTwoGibibytes_isReadAsItsStart(@TempDir Path folder) throws IOException {
    long weightsAt = 3L << 30;
    TestModel model = TestModel.chain(1).externalBuffer(weightsAt, 1);
    model.tensor("weights", TestModel.FLOAT32, 1, false, 1).operator(new int[] {3}, 3);
    ByteBuffer bytes = model.write(new int[] {0}, 2);
    Path file = Files.write(folder.resolve("model.tflite"), TestModel.bytesOf(bytes));
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      // One byte at the end; the hole before it takes no disk space.
      channel.write(ByteBuffer.allocate(1), weightsAt);
    }
    assertThat(TfliteReader.read(file, INTERMEDIATES).tensors())
        .containsExactly(tensor(1, "t1", 4));
  }

  @Test
  void read_emptyFile_namesTheFile(@TempDir Path folder) throws IOException {
    Path file = Files.createFile(folder.resolve("model.tflite"));
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> TfliteReader.read(file, WITH_IO))
        .withMessage(file + ": has 0 bytes, expected a TensorFlow Lite model of at least 8");
  }

  @Test
  void read_directoryOrNoFile_failsAsItIs(@TempDir Path folder) {
    assertThatExceptionOfType(FileSystemException.class)
        .isThrownBy(() -> TfliteReader.read(folder, WITH_IO))
        .withMessage(folder + ": is a folder, expected a file");
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> TfliteReader.read(folder.resolve("none"), WITH_IO));
  }

  @Test
  void read_examples_givePlans() throws IOException {
    List<Path> examples = SampleModels.in(SampleModels.examples(), ".tflite");
    for (Path file : examples) {
      assertThat(TfliteReader.read(file, WITH_IO).kinds()).as("%s", file).isNotEmpty();
    }
  }

  private static TfliteProblem read(ByteBuffer model, TensorScope scope) throws IOException {
    return TfliteReader.read("model", model, TfliteOptions.defaults().withScope(scope));
  }
}
