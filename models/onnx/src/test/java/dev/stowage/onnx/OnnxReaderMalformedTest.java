package dev.stowage.onnx;

import static dev.stowage.onnx.TestGraph.FLOAT;
import static dev.stowage.onnx.TestGraph.body;
import static dev.stowage.onnx.TestGraph.sequence;
import static dev.stowage.onnx.TestGraph.tensor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.TensorScope;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors for files that are not models and for models that cannot be planned. */
class OnnxReaderMalformedTest {

  private static final OnnxOptions DEFAULTS = OnnxOptions.defaults();
  private static final OnnxOptions IO = DEFAULTS.withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS);

  private static void assertError(TestGraph graph, OnnxOptions options, String message) {
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> graph.read(options))
        .withMessage("test.onnx: " + message);
  }

  private static void assertError(byte[] bytes, String message) {
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> OnnxReader.read("test.onnx", ByteBuffer.wrap(bytes), DEFAULTS))
        .withMessage("test.onnx: " + message);
  }

  @Test
  void read_bytesThatAreNoModel_areAnError() {
    assertError(new byte[0], "has no graph, expected an ONNX model");
    assertError(
        "<html>".getBytes(StandardCharsets.UTF_8),
        "is damaged or of another format, expected an ONNX model: Protocol message end-group tag did not match expected tag.");
    assertError(
        new byte[] {0x3a, 100, 1},
        "is damaged or of another format, expected an ONNX model: While parsing a protocol message, the input ended unexpectedly in the middle of a field.  This could mean either that the input has been truncated or that an embedded message misreported its own length.");
  }

  /** An operator without content has two bytes in a file, and some hundred in memory. */
  @ParameterizedTest
  @ValueSource(strings = {"3a", "3a 0a 2a 32", "3a 0a 2a 5a", "ca01", "a201 0a"})
  void read_tooManyOperators_isAnError(String fields) {
    String[] around = fields.split(" ");
    int operator = around[0].equals("ca01") ? 0x3a : 0x0a; // of functions, and of graphs
    int count = 5_000_000;
    ByteBuffer operators = ByteBuffer.allocate(2 * count);
    for (int i = 0; i < count; i++) {
      operators.put((byte) operator).put((byte) 0);
    }
    byte[] model = operators.array();
    for (String field : List.of(around).reversed()) {
      model = field(HexFormat.of().parseHex(field), model);
    }

    assertError(model, "has more than 1,000,000 operators, expected at most 1,000,000");
  }

  private static byte[] field(byte[] tag, byte[] content) {
    ByteBuffer field = ByteBuffer.allocate(tag.length + 5 + content.length).put(tag);
    int rest = content.length;
    for (; rest > 127; rest >>>= 7) {
      field.put((byte) ((rest & 127) | 128));
    }
    field.put((byte) rest).put(content);
    return Arrays.copyOf(field.array(), field.position());
  }

  @Test
  void read_nameMadeTwice_isAnError() {
    assertError(
        new TestGraph().input("x", FLOAT, 4).node("Relu", "x", "a").node("Tanh", "x", "a"),
        DEFAULTS,
        "operator 1 (Tanh): computes 'a', which already has a producer; expected one producer for each name");
    assertError(
        new TestGraph().input("x", FLOAT, 4).node("Relu", "x", "x"),
        DEFAULTS,
        "operator 0 (Relu): computes 'x', which already has a producer; expected one producer for each name");
    assertError(
        new TestGraph().weights("w", 4).node("Constant", "", "w"),
        DEFAULTS,
        "operator 0 (Constant): computes 'w', which already has a producer; expected one producer for each name");
    assertError(
        new TestGraph().input("x", FLOAT, 4).node("Split", "x", "a a"),
        DEFAULTS,
        "operator 0 (Split): computes 'a', which already has a producer; expected one producer for each name");
    assertError(
        new TestGraph().node("Constant", "", "c c"),
        DEFAULTS,
        "operator 0 (Constant): computes 'c', which already has a producer; expected one producer for each name");
  }

  @Test
  void read_inputs_haveNamesOfTheirOwn() {
    assertError(
        new TestGraph().input("x", FLOAT, 4).input("x", FLOAT, 4),
        DEFAULTS,
        "inputs: 'x' occurs twice, expected once");
    assertError(
        new TestGraph().input("", FLOAT, 4),
        DEFAULTS,
        "inputs: one input has no name, expected a name");
  }

  @Test
  void read_outputThatNothingMakes_isAnError() {
    assertError(
        new TestGraph().input("x", FLOAT, 4).outputs("y"),
        DEFAULTS,
        "outputs: 'y' has no producer, expected the name of a value");
  }

  @Test
  void read_cycle_isAnErrorOfAnOperatorOnIt() {
    assertError(
        new TestGraph()
            .input("x", FLOAT, 4)
            .node("Relu", "d", "behind")
            .node("Relu", "x", "a")
            .node("Add", "a d", "b")
            .node("Relu", "b", "c")
            .node("Relu", "c", "d"),
        DEFAULTS,
        "operator 2 (Add): depends on its own result, expected a graph without cycles");
    TestGraph reader = new TestGraph().node("Relu", "y", "z").outputs("z");
    assertError(
        new TestGraph().input("x", FLOAT, 1).node("If", "x", "y", body("then_branch", reader)),
        DEFAULTS,
        "operator 0 (If): depends on its own result, expected a graph without cycles");
  }

  @Test
  void read_moreBytesThanThereAreNumbers_isAnError() {
    assertError(
        new TestGraph()
            .input("x", FLOAT, 1L << 31, 1L << 30)
            .node("Relu", "x", "a")
            .type("a", FLOAT, 1L << 31, 1L << 30),
        DEFAULTS,
        "tensor 'a': has more than 2^63 - 1 bytes, expected fewer: shape [2147483648, 1073741824] of FLOAT");
    TestGraph several = new TestGraph().input("x", FLOAT, 4);
    for (int i = 0; i < 4; i++) {
      several.node("Relu", "x", "a" + i).type("a" + i, FLOAT, 1L << 30, 1L << 29);
    }
    several.outputs("x");
    assertError(
        several, DEFAULTS, "the tensors have more than 2^63 - 1 bytes in all, expected fewer");
  }

  @Test
  void read_largestPossibleTensor_isPlanned() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", TestGraph.UINT2, Long.MAX_VALUE)
            .node("Relu", "x", "a")
            .type("a", TestGraph.UINT2, Long.MAX_VALUE)
            .outputs("x");

    assertThat(ProblemText.of(graph.read(DEFAULTS)))
        .containsExactly("a: 2305843009213693952 bytes, 0..0");
  }

  @Test
  void read_nothingOfKnownSize_isAnError() {
    assertError(
        new TestGraph()
            .input("x", FLOAT, 4)
            .node("SequenceConstruct", "x", "s")
            .type("s", sequence(tensor(FLOAT, 4)))
            .outputs("x"),
        DEFAULTS,
        "expected at least one tensor of known size, but all sizes are unknown: s (sequence)");
  }

  @Test
  void read_openDimensions_areNamed() {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, "batch", 3, null)
            .input("mask", FLOAT, "batch", "odd\nname")
            .node("Relu", "x", "y")
            .outputs("y");

    assertThatExceptionOfType(OpenDimensionsException.class)
        .isThrownBy(() -> graph.read(IO))
        .withMessage(
            "test.onnx: the sizes of 3 tensors depend on open dimensions: batch, x[2], odd?name")
        .satisfies(e -> assertThat(e.names()).containsExactly("batch", "x[2]", "odd\nname"));
    assertThatExceptionOfType(OpenDimensionsException.class)
        .isThrownBy(() -> graph.read(IO.withDimension("batch", 1).withDimension("x[2]", 1)))
        .withMessage("test.onnx: the size of 1 tensor depends on open dimensions: odd?name");
  }

  @Test
  void read_textOfOpenShape_isNoQuestionOfDimensions() throws IOException {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, 4)
            .input("words", TestGraph.STRING, "n")
            .node("Relu", "x", "y")
            .outputs("y");

    OnnxProblem problem = graph.read(IO);
    assertThat(ProblemText.names(problem.tensors())).containsExactly("x", "y");
    assertThat(problem.notes())
        .containsExactly("1 value of unknown size is not planned: words (elements of type STRING)");
  }

  @Test
  void read_fileOfAnotherFormat_isRejected(@TempDir Path folder) throws IOException {
    assertThatExceptionOfType(FileSystemException.class)
        .isThrownBy(() -> OnnxReader.read(folder, DEFAULTS))
        .withMessage(folder + ": is a folder, expected a file");
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> OnnxReader.read(folder.resolve("none.onnx"), DEFAULTS));
    Path empty = Files.createFile(folder.resolve("empty.onnx"));
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> OnnxReader.read(empty, DEFAULTS))
        .withMessage(empty + ": has no graph, expected an ONNX model");
  }

  @Test
  void read_fileAboveTwoGibibytes_isAnError(@TempDir Path folder) throws IOException {
    Path large = folder.resolve("large.onnx");
    try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
      file.setLength(1L << 31); // holes, which take no room
    }

    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> OnnxReader.read(large, DEFAULTS))
        .withMessage(
            large
                + ": has 2147483648 bytes, expected less than 2^31, the limit of Protocol Buffers");
  }
}
