package dev.stowage.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnknownFieldSet;
import dev.stowage.onnx.file.OnnxModelWriter;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.testing.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies of models with their operators in another order. */
class OnnxModelWriterTest {

  @TempDir Path folder;

  static LongStream seeds() {
    return Seeds.of(200);
  }

  /*
   * The fields of the model and of its graph are in any order, and include unknown ones of all wire
   * types. The operators of an order are those of the file, permuted; the rest is identical.
   */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void write_fieldsInAnyOrder_permutesOnlyTheOperators(long seed) throws IOException {
    Random random = new Random(seed);
    int nodeCount = random.nextInt(8);
    List<ByteString> nodes = IntStream.range(0, nodeCount).mapToObj(i -> node(i, random)).toList();
    List<ByteString> others = others(random);
    List<Integer> order = new ArrayList<>(IntStream.range(0, nodeCount).boxed().toList());
    Collections.shuffle(order, random);
    long shuffle = random.nextLong();
    byte[] model = model(nodes, others, shuffle);
    Path file = Files.write(folder.resolve("in.onnx"), model);
    Path copy = folder.resolve("out.onnx");

    OnnxModelWriter.write(file, order, copy);

    byte[] expected = model(order.stream().map(nodes::get).toList(), others, shuffle);
    assertThat(Files.readAllBytes(copy)).isEqualTo(expected).hasSameSizeAs(model);
    assertThat(Files.readAllBytes(file)).isEqualTo(model);
  }

  private static ByteString node(int i, Random random) {
    NodeProto.Builder node = NodeProto.newBuilder().setOpType("Abs").addInput("x");
    node.addOutput("y" + i).setDocString("d".repeat(random.nextInt(200)));
    if (random.nextBoolean()) {
      node.setUnknownFields(unknown(random));
    }
    return node.build().toByteString();
  }

  private static UnknownFieldSet unknown(Random random) {
    UnknownFieldSet.Field field =
        UnknownFieldSet.Field.newBuilder()
            .addVarint(random.nextLong())
            .addFixed32(7)
            .addFixed64(random.nextLong())
            .addLengthDelimited(ByteString.copyFromUtf8("\n\tnot a node"))
            .addGroup(
                UnknownFieldSet.newBuilder()
                    .addField(1, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                    .build())
            .build();
    return UnknownFieldSet.newBuilder().addField(1000 + random.nextInt(5), field).build();
  }

  /** {@return fields of the graph other than operators} */
  private static List<ByteString> others(Random random) {
    List<ByteString> others = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      TensorProto weights =
          TensorProto.newBuilder()
              .setName("w" + i)
              .setDataType(1)
              .addDims(3)
              .setRawData(ByteString.copyFrom(new byte[12]))
              .build();
      others.add(GraphProto.newBuilder().addInitializer(weights).build().toByteString());
    }
    others.add(GraphProto.newBuilder().setUnknownFields(unknown(random)).build().toByteString());
    others.add(GraphProto.newBuilder().setName("graph").build().toByteString());
    return others;
  }

  private static byte[] model(List<ByteString> nodes, List<ByteString> others, long shuffle)
      throws IOException {
    // Places of other fields among the operators: a list of -1 for an operator, or another field.
    List<Integer> places = new ArrayList<>(Collections.nCopies(nodes.size(), -1));
    IntStream.range(0, others.size()).forEach(places::add);
    Collections.shuffle(places, new Random(shuffle));
    ByteArrayOutputStream graph = new ByteArrayOutputStream();
    int next = 0;
    for (int place : places) {
      if (place >= 0) {
        others.get(place).writeTo(graph);
      } else {
        write(graph, GraphProto.NODE_FIELD_NUMBER, nodes.get(next++));
      }
    }
    ByteArrayOutputStream model = new ByteArrayOutputStream();
    ModelProto.newBuilder().setIrVersion(8).build().writeTo(model);
    write(model, ModelProto.GRAPH_FIELD_NUMBER, ByteString.copyFrom(graph.toByteArray()));
    ModelProto.newBuilder()
        .setProducerName("after the graph")
        .setUnknownFields(unknown(new Random(shuffle)))
        .build()
        .writeTo(model);
    return model.toByteArray();
  }

  private static void write(ByteArrayOutputStream out, int field, ByteString value)
      throws IOException {
    CodedOutputStream coded = CodedOutputStream.newInstance(out);
    coded.writeBytes(field, value);
    coded.flush();
  }

  @Test
  void write_operatorsInTwoGraphFields_isRejected() throws IOException {
    byte[] once = TestGraph.residual().build().toByteArray();
    ByteArrayOutputStream twice = new ByteArrayOutputStream();
    twice.write(once);
    write(
        twice,
        ModelProto.GRAPH_FIELD_NUMBER,
        GraphProto.newBuilder()
            .addNode(NodeProto.newBuilder().setOpType("Abs").addInput("y").addOutput("more"))
            .build()
            .toByteString());
    Path file = Files.write(folder.resolve("in.onnx"), twice.toByteArray());
    Path copy = folder.resolve("out.onnx");
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> OnnxModelWriter.write(file, List.of(0, 1, 2, 3), copy))
        .withMessage(file + ": has its operators in more than one graph field, expected one graph");
    assertThat(copy).doesNotExist();
  }

  @Test
  void write_operatorBeforeItsProducer_isRejected() throws IOException {
    Path file = Files.write(folder.resolve("in.onnx"), TestGraph.residual().build().toByteArray());
    Path copy = folder.resolve("out.onnx");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OnnxModelWriter.write(file, List.of(1, 0, 2), copy))
        .withMessage("an operator precedes the producer of one of its inputs: order=[1, 0, 2]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OnnxModelWriter.write(file, List.of(), copy))
        .withMessage("an order must contain each operator from 0 once: order=[]");
    assertThat(copy).doesNotExist();
  }

  @Test
  void externalFiles_ofAllParts_areFound() throws IOException {
    Files.write(folder.resolve("a.bin"), new byte[16]);
    Files.createDirectory(folder.resolve("more"));
    Files.write(folder.resolve("more/b.bin"), new byte[16]);
    TestGraph body =
        new TestGraph()
            .node("Constant", "", "k", TestGraph.value(external("more/b.bin", "0", "16")))
            .outputs("k");
    ModelProto.Builder model =
        new TestGraph()
                .input("condition", TestGraph.BOOL)
                .node(
                    "If",
                    "condition",
                    "y",
                    TestGraph.body("then_branch", body),
                    TestGraph.body("else_branch", body))
                .outputs("y")
                .build()
                .toBuilder();
    model.getGraphBuilder().addInitializer(external("a.bin", "4", "12").setName("w"));
    Path file = Files.write(folder.resolve("in.onnx"), model.build().toByteArray());
    assertThat(OnnxModelWriter.externalFiles(file))
        .containsExactly(Path.of("a.bin"), Path.of("more/b.bin"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "missing.bin", "../in.onnx", "more/../a.bin", "/etc/hostname", "more", "a\0b"})
  void externalFiles_notInTheFolder_areRejected(String location) throws IOException {
    Files.write(folder.resolve("a.bin"), new byte[16]);
    Files.createDirectory(folder.resolve("more"));
    Path file = withWeights(external(location, "0", "16"));
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> OnnxModelWriter.externalFiles(file))
        .withMessageStartingWith(file + ": tensor 'w': is in '")
        .withMessageEndingWith("', expected a file in the folder of the model");
  }

  /** ONNX Runtime rejects the same links when it loads the model. */
  @Test
  void externalFiles_linksOutOfTheFolder_areRejected() throws IOException {
    Path outside = Files.createDirectory(folder.resolve("outside"));
    Path real = Files.write(outside.resolve("real.bin"), new byte[16]);
    Path models = Files.createDirectory(folder.resolve("models"));
    Files.createSymbolicLink(models.resolve("link.bin"), Path.of("../outside/real.bin"));
    Files.createSymbolicLink(models.resolve("more"), Path.of("../outside"));
    for (String location : List.of("link.bin", "more/real.bin")) {
      Path file =
          Files.move(
              withWeights(external(location, "0", "16")),
              models.resolve("in.onnx"),
              StandardCopyOption.REPLACE_EXISTING);
      assertThatExceptionOfType(MalformedFileException.class)
          .isThrownBy(() -> OnnxModelWriter.externalFiles(file))
          .withMessage(
              file
                  + ": tensor 'w': is in '"
                  + location
                  + "', a link to '"
                  + real.toRealPath()
                  + "', expected a file in the folder of the model");
    }
  }

  /** A cache of models has links to the model and its weights, which are in one folder. */
  @Test
  void externalFiles_linksWithinTheFolder_areFound() throws IOException {
    Path file = withWeights(external("link.bin", "0", "16"));
    Files.write(folder.resolve("real.bin"), new byte[16]);
    Files.createSymbolicLink(folder.resolve("link.bin"), Path.of("real.bin"));
    assertThat(OnnxModelWriter.externalFiles(file)).containsExactly(Path.of("link.bin"));

    Path cache = Files.createDirectory(folder.resolve("cache"));
    Files.createSymbolicLink(cache.resolve("link.bin"), Path.of("../real.bin"));
    Path model = Files.createSymbolicLink(cache.resolve("m.onnx"), file);
    assertThat(OnnxModelWriter.externalFiles(model)).containsExactly(Path.of("link.bin"));

    Path linked = Files.createSymbolicLink(folder.resolve("linked"), cache);
    assertThat(OnnxModelWriter.externalFiles(linked.resolve("m.onnx")))
        .containsExactly(Path.of("link.bin"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0 17", "9 8", "17 0", "9223372036854775807 9223372036854775807"})
  void externalFiles_tooShort_areRejected(String part) throws IOException {
    Files.write(folder.resolve("a.bin"), new byte[16]);
    String offset = part.split(" ", -1)[0];
    String length = part.split(" ", -1)[1];
    Path file = withWeights(external("a.bin", offset, length));
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> OnnxModelWriter.externalFiles(file))
        .withMessage(
            file
                + ": tensor 'w': has "
                + length
                + " bytes at "
                + offset
                + " in 'a.bin', expected a part of the file, which has 16 bytes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "x", "99999999999999999999"})
  void externalFiles_offsetThatIsNoNumber_isRejected(String offset) throws IOException {
    Files.write(folder.resolve("a.bin"), new byte[16]);
    Path file = withWeights(external("a.bin", offset, "1"));
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> OnnxModelWriter.externalFiles(file))
        .withMessage(
            file
                + ": tensor 'w': has external data with the number '"
                + offset
                + "', expected 0 or more bytes");
  }

  private Path withWeights(TensorProto.Builder tensor) throws IOException {
    ModelProto.Builder model = TestGraph.residual().build().toBuilder();
    model.getGraphBuilder().addInitializer(tensor.setName("w"));
    return Files.write(folder.resolve("in.onnx"), model.build().toByteArray());
  }

  private static TensorProto.Builder external(String location, String offset, String length) {
    TensorProto.Builder tensor = TensorProto.newBuilder().setDataType(1).addDims(4);
    tensor.setDataLocation(TensorProto.DataLocation.EXTERNAL);
    tensor.addExternalDataBuilder().setKey("location").setValue(location);
    tensor.addExternalDataBuilder().setKey("offset").setValue(offset);
    tensor.addExternalDataBuilder().setKey("length").setValue(length);
    return tensor;
  }
}
