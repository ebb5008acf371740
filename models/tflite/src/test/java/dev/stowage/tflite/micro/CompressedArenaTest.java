package dev.stowage.tflite.micro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.testing.Seeds;
import dev.stowage.tflite.micro.CompressedData.Form;
import dev.stowage.tflite.micro.CompressedModel.Graph;
import dev.stowage.tflite.model.ModelFile;
import dev.stowage.tflite.model.Subgraph;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Models whose constants are decompressed while they run. */
class CompressedArenaTest {

  /** What tflite-micro of 20 August 2026 (90b983c2b) does with a sample, with reference kernels. */
  private record Measured(String sample, long headBytes) {

    static Measured of(String line) {
      String[] fields = line.split(",", -1);
      return new Measured(fields[0], Long.parseLong(fields[1]));
    }
  }

  private static Stream<Measured> measured() throws IOException {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(
                    CompressedArenaTest.class.getResourceAsStream("compressed-heads.csv")),
                StandardCharsets.UTF_8))) {
      return reader.lines().skip(1).map(Measured::of).toList().stream();
    }
  }

  @Test
  void headBytes_samples_equalThoseOfTheInterpreter() throws IOException {
    for (Measured measured : measured().toList()) {
      MicroArena arena = sample(measured.sample);
      assertThat(arena.headBytes(Optional.empty()))
          .as("%s", measured)
          .isEqualTo(measured.headBytes);
    }
  }

  @Test
  void withScratch_logOfTheInterpreter_countsDecompressedConstantsOnce()
      throws MalformedFileException {
    MicroArena arena = sample("metadata");
    List<ScratchBuffer> log = MicroScratch.merged(List.of(), decompression("metadata")).buffers();
    List<ScratchBuffer> logWithOther =
        Stream.concat(Stream.of(new ScratchBuffer(0, 0, 50)), log.stream()).toList();
    assertThat(arena.withScratch(log).problem()).isEqualTo(arena.problem());
    assertThat(arena.withScratch(List.of()).problem()).isEqualTo(arena.problem());
    assertThat(arena.withScratch(logWithOther).plannedBuffers())
        .hasSize(arena.plannedBuffers().size() + 1)
        .extracting(MicroTensor::name)
        .contains("scratch of operator 0", "decompressed g0t1");
  }

  private static Decompression decompression(String sample) throws MalformedFileException {
    return ModelFile.of(sample, ByteBuffer.wrap(CompressedSamples.model(sample)))
        .parse(file -> Decompression.of(file, Subgraph.allOf(file)));
  }

  @Test
  void scratchOperators_decode_areKnown() throws MalformedFileException {
    assertThat(sample("lut").scratchOperators().custom()).isEmpty();
  }

  @Test
  void fileOrder_decodeWithOneReader_isDirectlyInFrontOfIt() throws MalformedFileException {
    // 0 TFLM_DECODE, 1 CONV_2D, 2 CONV_2D, 3 CONCATENATION, 4 TFLM_DECODE, 5 FULLY_CONNECTED
    MicroArena arena = sample("late");
    assertThat(arena.fileOrder(List.of(0, 5, 1, 2, 3, 4, 6))).containsExactly(1, 2, 0, 3, 4, 5);
  }

  @Test
  void fileOrder_decodeWithSeveralReaders_keepsTheOrder() throws MalformedFileException {
    MicroArena arena = read(sharedConstant());
    List<Integer> order = IntStream.rangeClosed(0, 4).boxed().toList();
    assertThat(arena.fileOrder(order)).containsExactly(0, 1, 2, 3);
    // The second TFLM_DECODE (operator 3 of the graph) follows the readers of the first one.
    assertThat(arena.operators().orElseThrow().operators().get(3).after()).contains(1, 2);
  }

  /** TFLM_DECODE, ADD of its result to itself, TFLM_DECODE, ADD of both. */
  private static CompressedModel sharedConstant() {
    CompressedModel model = new CompressedModel(3);
    Graph main = model.graph();
    int first = main.constant(Form.LUT, CompressedModel.INT8, 0.1f, 1, 0, 1, 8, 8, 2);
    main.flush();
    int doubled = main.sum(first, first);
    int second = main.constant(Form.LUT, CompressedModel.INT8, 0.1f, 1, 0, 1, 8, 8, 2);
    main.flush();
    main.outputs(main.concatenation(List.of(doubled, first, second), 0, Form.PLAIN));
    return model;
  }

  @Test
  void notes_unknownEncoding_nameTheOperator() throws MalformedFileException {
    assertThat(decoded(100, 1, 1).notes())
        .containsExactly(
            "TFLM_DECODE 0 has the encoding 100, which TensorFlow Lite Micro of August 2026 cannot decode");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0,2,1,9,2,0 | TFLM_DECODE has version 2 in byte 1 of the ancillary tensor 1, expected 1
          0,1,3,9,2,0 | TFLM_DECODE has version 3 in byte 4 of the ancillary tensor 1, expected 1
          0,1,1,8,2,0 | TFLM_DECODE has 0 bits for each index into tables, expected 1 to 7
          0,1,1,7,2,0 | TFLM_DECODE has 4 bytes of encoded data, expected 7 or more for the shape of its output
          1,1,1,240,0,0 | TFLM_DECODE has 8 bytes of tables in its ancillary tensor, expected 131072 or more
          2,1,1,0,0,0 | TFLM_DECODE has 8 bytes of tables in its ancillary tensor, expected 12 or more
          """)
  void read_damagedAncillaryData_isRejected(String header, String message) {
    byte[] ancillary = new byte[24];
    String[] fields = header.split(",", -1);
    ancillary[0] = (byte) Integer.parseInt(fields[0]);
    ancillary[1] = (byte) Integer.parseInt(fields[1]);
    ancillary[4] = (byte) Integer.parseInt(fields[2]);
    ancillary[5] = (byte) Integer.parseInt(fields[3]);
    ancillary[6] = (byte) Integer.parseInt(fields[4]);
    byte[] encoded = {(byte) 0xF0, (byte) 0xFF, 15, 0};
    assertRejected(
        graph ->
            graph.decode(
                new int[] {graph.bytes(encoded), graph.bytes(ancillary)},
                graph.tensor(
                    CompressedModel.INT8, 0, new float[0], 0, header.startsWith("2") ? 20 : 8)),
        "operator 0: " + message);
  }

  @Test
  void read_damagedDecode_isRejected() {
    assertRejected(
        graph -> graph.decode(new int[] {graph.bytes(new byte[9])}, graph.image(1)),
        "operator 0: TFLM_DECODE has 1 inputs and 1 outputs, expected an output or more, and an encoded and an ancillary tensor for each");
    assertRejected(
        graph ->
            graph.decode(new int[] {graph.image(1), graph.bytes(new byte[16])}, graph.image(1)),
        "operator 0: TFLM_DECODE reads tensor 0, which has no data, expected a constant");
    assertRejected(
        graph ->
            graph.decode(
                new int[] {graph.bytes(new byte[9]), graph.bytes(new byte[15])}, graph.image(1)),
        "operator 0: TFLM_DECODE has 15 bytes in the ancillary tensor 1, expected the header of 16 bytes or more");
    assertRejected(
        graph ->
            graph.decode(
                new int[] {graph.bytes(new byte[9]), graph.bytes(header())},
                graph.tensor(CompressedModel.INT8, 0, new float[] {1}, 3, 1, 1, 1, 8)),
        "operator 0: TFLM_DECODE decodes tensor 2 with scales of another dimension, expected scales of the first one, or several of the last one");
  }

  private static byte[] header() {
    byte[] ancillary = new byte[24];
    ancillary[1] = 1;
    ancillary[4] = 1;
    ancillary[5] = 1;
    return ancillary;
  }

  @Test
  void read_damagedMetadata_isRejected() {
    assertRejected(
        (model, graph) -> graph.lookUp(7, model.data(new byte[4]), 2),
        "metadata COMPRESSION_METADATA, buffer 2: has tensor 7 of subgraph 0, expected each tensor once, and less than 0, the number of tensors");
    assertRejected(
        (model, graph) -> graph.lookUp(graph.bytes(new byte[8]), model.data(new byte[4]), 8),
        "tensor 0: is compressed to indices of 8 bits, expected 1 to 7");
    assertRejected(
        (_, graph) -> graph.lookUp(graph.bytes(new byte[8]), 90, 2),
        "tensor 0: has value buffer 90, expected one of the 3 buffers, with data");
    assertRejected(
        (model, graph) -> {
          int buffer = model.data(new byte[4]);
          int tensor = graph.tensor(CompressedModel.INT8, buffer, new float[0], 0, 100, 100);
          graph.lookUp(tensor, buffer, 7);
        },
        "tensor 0: has 4 bytes of indices, expected 8750 or more for its shape");
    assertRejected(
        (model, graph) -> {
          int buffer = model.data(new byte[40]);
          int tensor = graph.tensor(CompressedModel.INT8, buffer, new float[] {1, 1}, 1, 2, 2, 2);
          graph.lookUp(tensor, buffer, 7);
        },
        "tensor 0: is compressed, but has scales of an inner dimension, expected scales of the first or the last one");
  }

  /** Random damage to models with both kinds of compressed data. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void read_damagedModel_givesAnArenaOrTheError(long seed) {
    Random random = new Random(seed);
    for (String name : List.of("both", "branch", "separate")) {
      byte[] original = CompressedSamples.model(name);
      for (int i = 0; i < 100; i++) {
        byte[] model = original.clone();
        ByteBuffer words = ByteBuffer.wrap(model).order(ByteOrder.LITTLE_ENDIAN);
        for (int k = random.nextInt(1, 5); k > 0; k--) {
          int at = random.nextInt(2, model.length / Integer.BYTES) * Integer.BYTES;
          words.putInt(at, random.nextBoolean() ? random.nextInt(-3, 40) : random.nextInt());
        }
        try {
          MicroArena arena = MicroArenaReader.read("model", ByteBuffer.wrap(model));
          assertThat(arena.notes()).isNotNull();
          assertThat(arena.headBytes(Optional.empty())).isNotNegative();
        } catch (MalformedFileException e) {
          assertThat(e).hasMessageContaining("model");
        }
      }
    }
  }

  static LongStream seeds() {
    return Seeds.of(5);
  }

  private static MicroArena decoded(int encoding, int version, int encodingVersion)
      throws MalformedFileException {
    CompressedModel model = new CompressedModel(1);
    Graph graph = model.graph();
    byte[] ancillary = new byte[16];
    ancillary[0] = (byte) encoding;
    ancillary[1] = (byte) version;
    ancillary[4] = (byte) encodingVersion;
    graph.decode(new int[] {graph.bytes(new byte[9]), graph.bytes(ancillary)}, graph.image(1));
    return read(model);
  }

  private static void assertRejected(Consumer<Graph> content, String message) {
    assertRejected((_, graph) -> content.accept(graph), message);
  }

  private static void assertRejected(BiConsumer<CompressedModel, Graph> content, String message) {
    CompressedModel model = new CompressedModel(1);
    content.accept(model, model.graph());
    assertThatThrownBy(() -> read(model))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage("model: " + message);
  }

  private static MicroArena sample(String name) throws MalformedFileException {
    return MicroArenaReader.read("model", ByteBuffer.wrap(CompressedSamples.model(name)));
  }

  private static MicroArena read(CompressedModel model) throws MalformedFileException {
    return MicroArenaReader.read("model", ByteBuffer.wrap(model.write()));
  }
}
