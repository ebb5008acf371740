package dev.stowage.tflite.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.testing.SampleModels;
import dev.stowage.testing.Seeds;
import dev.stowage.tflite.TestModel;
import dev.stowage.tflite.micro.MicroArena;
import dev.stowage.tflite.micro.MicroArenaReader;
import dev.stowage.tflite.model.FlatTable;
import dev.stowage.tflite.model.ModelFields;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tensorflow.lite.schema.Buffer;
import org.tensorflow.lite.schema.BufferT;
import org.tensorflow.lite.schema.BuiltinOperator;
import org.tensorflow.lite.schema.Metadata;
import org.tensorflow.lite.schema.MetadataT;
import org.tensorflow.lite.schema.Model;
import org.tensorflow.lite.schema.ModelT;
import org.tensorflow.lite.schema.Operator;
import org.tensorflow.lite.schema.OperatorCode;
import org.tensorflow.lite.schema.SubGraph;
import org.tensorflow.lite.schema.SubGraphT;
import org.tensorflow.lite.schema.Tensor;
import tools.jackson.databind.ObjectMapper;

/** Copies of models with an offline plan, compared with the originals. */
class OfflinePlanWriterTest {

  @TempDir private Path folder;

  static LongStream seeds() {
    return Seeds.of(30);
  }

  @Test
  void write_modelWithoutPlan_addsThePlanAndKeepsAllElse() throws IOException {
    byte[] model = twoSubgraphs().metadata("other", 0).write();
    byte[] copy = write(model, 0, 16, -1);
    assertThat(planOf(copy)).containsExactly(0, 16, -1);
    assertThat(withoutPlans(copy)).isEqualTo(withoutPlans(model));
    assertThat(contains(copy, model)).isTrue();
    assertThat((copy.length - model.length) % 64).isZero();
  }

  @Test
  void write_modelWithAPlan_replacesItsOffsetsInPlace() throws IOException {
    byte[] model = twoSubgraphs().plan(0, 0, 0).write();
    byte[] copy = write(model, 32, 16, -1);
    assertThat(planOf(copy)).containsExactly(32, 16, -1);
    assertThat(copy).hasSameSizeAs(model);
    assertThat(withoutPlans(copy)).isEqualTo(withoutPlans(model));
  }

  @Test
  void write_modelWithAPlanOfAnotherSize_replacesTheEntry() throws IOException {
    byte[] model = twoSubgraphs().plan(0, 0).metadata("other", 0).write();
    byte[] copy = write(model, 32, 16, -1);
    assertThat(planOf(copy)).containsExactly(32, 16, -1);
    Model written = Model.getRootAsModel(ByteBuffer.wrap(copy));
    assertThat(written.metadataLength()).isEqualTo(2);
    assertThat(written.metadata(0).name()).isEqualTo("other");
  }

  @Test
  void write_planInTheBufferOfATensor_keepsTheTensor() throws IOException {
    MicroModels models = twoSubgraphs();
    SubGraphT further = models.subgraph(16);
    byte[] words = new byte[28];
    int buffer = models.data(words);
    further.getTensors()[0].setBuffer(buffer);
    byte[] model = models.metadata(OfflinePlanEntry.NAME, buffer).write();
    byte[] copy = write(model, 1, 2, 3, 4);
    assertThat(planOf(copy)).containsExactly(1, 2, 3, 4);
    assertThat(Model.getRootAsModel(ByteBuffer.wrap(copy)).buffers(buffer).dataAsByteBuffer())
        .isEqualTo(ByteBuffer.wrap(words));
  }

  @Test
  void write_planInTheBufferOfOtherMetadata_keepsTheOther() throws IOException {
    MicroModels models = twoSubgraphs();
    int buffer = models.planData(0, 0, 0);
    models.metadata(OfflinePlanEntry.NAME, buffer);
    byte[] model = models.metadata("other", buffer).write();
    byte[] copy = write(model, 32, 16, -1);
    assertThat(planOf(copy)).containsExactly(32, 16, -1);
    assertThat(dataOf(copy, "other")).isEqualTo(dataOf(model, "other"));
  }

  @Test
  void write_planInTheBufferOfTheOldListOfMetadata_keepsTheBuffer() throws IOException {
    MicroModels models = twoSubgraphs();
    int buffer = models.planData(0, 0, 0);
    models.metadata(OfflinePlanEntry.NAME, buffer);
    byte[] model = models.metadataBuffer(buffer).write();
    byte[] copy = write(model, 32, 16, -1);
    assertThat(planOf(copy)).containsExactly(32, 16, -1);
    assertThat(Model.getRootAsModel(ByteBuffer.wrap(copy)).metadataBuffer(0)).isEqualTo(buffer);
    assertThat(dataOf(copy, buffer)).isEqualTo(dataOf(model, buffer));
  }

  @Test
  void write_planWithTheDataOfAnotherBuffer_keepsTheOther() throws IOException {
    MicroModels models = twoSubgraphs();
    int buffer = models.planData(0, 0, 0);
    models.metadata(OfflinePlanEntry.NAME, buffer);
    int other = models.data(new byte[24]);
    byte[] model = models.metadata("other", other).write();
    share(model, buffer, other);
    byte[] copy = write(model, 32, 16, -1);
    assertThat(planOf(copy)).containsExactly(32, 16, -1);
    assertThat(dataOf(copy, "other")).isEqualTo(dataOf(model, "other"));
  }

  /** Sets the data of a buffer to that of an earlier one. */
  private static void share(byte[] model, int earlier, int later) {
    ByteBuffer words = ByteBuffer.wrap(model).order(ByteOrder.LITTLE_ENDIAN);
    FlatTable root = FlatTable.root(words);
    int data = root.table(ModelFields.BUFFERS, earlier).target(ModelFields.BUFFER_DATA);
    int field = root.table(ModelFields.BUFFERS, later).field(ModelFields.BUFFER_DATA);
    words.putInt(field, data - field);
  }

  private static ByteBuffer dataOf(byte[] model, String name) {
    Model root = Model.getRootAsModel(ByteBuffer.wrap(model));
    for (int i = 0; i < root.metadataLength(); i++) {
      if (name.equals(root.metadata(i).name())) {
        return dataOf(model, (int) root.metadata(i).buffer());
      }
    }
    throw new AssertionError("no metadata " + name);
  }

  private static ByteBuffer dataOf(byte[] model, int buffer) {
    return Model.getRootAsModel(ByteBuffer.wrap(model)).buffers(buffer).dataAsByteBuffer();
  }

  @Test
  void write_newOrderOfOperatorsThatSubgraphsShare_isAnError() throws IOException {
    MicroModels models = new MicroModels();
    SubGraphT main = models.subgraph(16, 16, 16);
    models.operator(main, BuiltinOperator.ADD, new int[] {0}, 1);
    models.operator(main, BuiltinOperator.ADD, new int[] {0}, 2);
    models.subgraph(16, 16, 16);
    byte[] model = models.write();
    ByteBuffer words = ByteBuffer.wrap(model).order(ByteOrder.LITTLE_ENDIAN);
    FlatTable root = FlatTable.root(words);
    int shared = root.table(ModelFields.SUBGRAPHS, 0).target(ModelFields.SUBGRAPH_OPERATORS);
    int field = root.table(ModelFields.SUBGRAPHS, 1).field(ModelFields.SUBGRAPH_OPERATORS);
    words.putInt(field, shared - field);
    Path in = Files.write(folder.resolve("in.tflite"), model);
    OfflinePlan plan = OfflinePlan.of(new int[6]);
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(
            () -> OfflinePlanWriter.write(in, plan, List.of(1, 0), folder.resolve("out.tflite")))
        .withMessage(
            in
                + ": model: subgraph 1 has the list of operators of subgraph 0, expected its own list for a new order of subgraph 0");
  }

  @Test
  void write_dataAfterTheFlatbuffer_moves() throws IOException {
    TestModel models = TestModel.chain(1).externalBuffer(4096, 8).externalBuffer(1, 8);
    models.tensor("weights", TestModel.FLOAT32, 1, false, 2).operator(new int[] {3}, 3);
    byte[] flatbuffer = TestModel.bytesOf(models.write(new int[] {0}, 2));
    byte[] model = Arrays.copyOf(flatbuffer, 4104);
    Arrays.fill(model, 4096, 4104, (byte) 7);
    byte[] copy = write(model, 0, 16, 0, -1);
    int moved = copy.length - model.length;
    FlatTable root = FlatTable.root(ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN));
    FlatTable first = root.table(ModelFields.BUFFERS, 1);
    assertThat(first.longAt(ModelFields.BUFFER_OFFSET)).isEqualTo(4096 + moved);
    FlatTable second = root.table(ModelFields.BUFFERS, 2);
    assertThat(second.longAt(ModelFields.BUFFER_OFFSET)).as("offset 1 means no data").isEqualTo(1);
    assertThat(copy[4096 + moved]).isEqualTo((byte) 7);
  }

  @Test
  void write_largeCustomOptions_move() throws IOException {
    byte[] flatbuffer = withLargeOptions(2048, 16);
    byte[] model = Arrays.copyOf(flatbuffer, 2064);
    byte[] copy = write(model, 0);
    ByteBuffer written = ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN);
    FlatTable subgraph = FlatTable.root(written).table(ModelFields.SUBGRAPHS, 0);
    FlatTable operator = subgraph.table(ModelFields.SUBGRAPH_OPERATORS, 0);
    assertThat(operator.longAt(ModelFields.OPERATOR_LARGE_OPTIONS_OFFSET))
        .isEqualTo(2048 + copy.length - model.length);
  }

  @Test
  void write_archiveThatCountsFromTheStartOfTheFile_staysReadable() throws IOException {
    byte[] model = withArchive(twoSubgraphs().write(), true);
    byte[] copy = write(model, 0, 16, -1);
    assertThat(labels(copy)).isEqualTo("labels").isEqualTo(labels(model));
    assertThat(directoryAt(copy)).isEqualTo(directoryAt(model) + copy.length - model.length);
  }

  @Test
  void write_archiveThatCountsFromItsOwnStart_staysAsItIs() throws IOException {
    byte[] model = withArchive(twoSubgraphs().write(), false);
    byte[] copy = write(model, 0, 16, -1);
    assertThat(labels(copy)).isEqualTo("labels");
    assertThat(directoryAt(copy)).isEqualTo(directoryAt(model));
  }

  @Test
  void write_fieldsOfANewerSchema_keepTheirValues() throws IOException {
    byte[] model = withNewerFields(0);
    FlatTable old = FlatTable.root(ByteBuffer.wrap(model).order(ByteOrder.LITTLE_ENDIAN));
    FlatTable written =
        FlatTable.root(ByteBuffer.wrap(write(model, 0)).order(ByteOrder.LITTLE_ENDIAN));
    assertThat(old.unsignedInt(10)).isEqualTo(8765);
    assertThat(written.unsignedInt(10)).isEqualTo(8765);
    assertThat(written.field(11)).isZero();
    assertThat(written.length(12)).isEqualTo(old.length(12)).isEqualTo(5);
  }

  @Test
  void write_externalBuffers_stay() throws IOException {
    byte[] model = withNewerFields(0);
    FlatTable old = FlatTable.root(ByteBuffer.wrap(model).order(ByteOrder.LITTLE_ENDIAN));
    FlatTable written =
        FlatTable.root(ByteBuffer.wrap(write(model, 0)).order(ByteOrder.LITTLE_ENDIAN));
    assertThat(written.field(8)).isZero();
    assertThat(written.length(9)).isEqualTo(old.length(9)).isEqualTo(5);
  }

  @Test
  void write_newerFieldsFarFromTheStart_areAnError() {
    byte[] model = withNewerFields(40_000);
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(() -> write(model, 0))
        .withMessageContaining("model: has field 10, which is newer than this version of Stowage");
  }

  @Test
  void write_existingFile_isAnErrorAndStays() throws IOException {
    Path model = Files.write(folder.resolve("model.tflite"), twoSubgraphs().write());
    byte[] before = Files.readAllBytes(model);
    assertThatExceptionOfType(FileAlreadyExistsException.class)
        .isThrownBy(
            () -> OfflinePlanWriter.write(model, OfflinePlan.of(new int[3]), List.of(), model));
    assertThat(model).hasBinaryContent(before);
  }

  @Test
  void write_realModels_keepAllElse() throws IOException {
    List<Path> models = new ArrayList<>(SampleModels.in(SampleModels.examples(), ".tflite"));
    models.addAll(SampleModels.all(".tflite", "models/tflite"));
    for (Path model : models) {
      MicroArena arena = MicroArenaReader.read(model);
      int[] offsets = new int[arena.tensorCount()];
      Arrays.setAll(offsets, i -> 16 * i);
      byte[] before = Files.readAllBytes(model);
      byte[] copy = write(before, offsets);
      assertThat(planOf(copy)).as(model.toString()).isEqualTo(offsets);
      assertThat(withoutPlans(copy).equals(withoutPlans(before))).as(model.toString()).isTrue();
      int moved = copy.length - before.length;
      if (arena.filePlan().isEmpty()) {
        // All but the positions in the directory of an archive.
        int differences = 0;
        for (int i = 0; i < before.length; i++) {
          differences += before[i] == copy[i + moved] ? 0 : 1;
        }
        assertThat(differences).as(model.toString()).isLessThan(17);
      }
    }
  }

  @Test
  void write_realModelsWithAnArchive_keepItsEntries() throws IOException {
    int archiveCount = 0;
    for (Path model : SampleModels.all(".tflite", "models/tflite")) {
      byte[] before = Files.readAllBytes(model);
      List<String> entries = entries(before);
      int[] offsets = new int[MicroArenaReader.read(model).tensorCount()];
      assertThat(entries(write(before, offsets))).as(model.toString()).isEqualTo(entries);
      archiveCount += entries.isEmpty() ? 0 : 1;
    }
    // Only models of the larger set have archives.
    assertThat(archiveCount).isEqualTo(SampleModels.folders("models").size() > 1 ? 2 : 0);
  }

  /** The entries of the archive at the end of a model with their checksums, which are verified. */
  private List<String> entries(byte[] model) throws IOException {
    Path file = Files.write(folder.resolve("entries.zip"), model);
    try (ZipFile zip = new ZipFile(file.toFile())) {
      List<String> entries = new ArrayList<>();
      for (ZipEntry entry : Collections.list(zip.entries())) {
        CRC32 crc = new CRC32();
        crc.update(zip.getInputStream(entry).readAllBytes());
        assertThat(entry.getCrc()).isEqualTo(crc.getValue());
        entries.add(entry.getName() + " " + entry.getSize() + " " + entry.getCrc());
      }
      return entries;
    } catch (ZipException e) {
      return List.of(); // the model has no archive
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void write_damagedModel_isACopyOrTheError(long seed) throws IOException {
    Random random = new Random(seed);
    byte[] original = withArchive(twoSubgraphs().plan(0, 1).metadata("other", 0).write(), true);
    for (int i = 0; i < 200; i++) {
      byte[] damaged = original.clone();
      ByteBuffer words = ByteBuffer.wrap(damaged).order(ByteOrder.LITTLE_ENDIAN);
      for (int k = random.nextInt(4); k >= 0; k--) {
        int value = random.nextBoolean() ? random.nextInt() : random.nextInt(damaged.length);
        words.putInt(random.nextInt(damaged.length / 4) * 4, value);
      }
      words.putInt(4, 0x334C4654);
      try {
        assertThat(planOf(write(damaged, 1, 2, 3))).containsExactly(1, 2, 3);
      } catch (MalformedFileException e) {
        assertThat(e).hasMessageContaining("expected");
      }
    }
  }

  private static MicroModels twoSubgraphs() {
    MicroModels models = new MicroModels();
    SubGraphT main = models.subgraph(16, 16);
    main.setInputs(new int[] {0});
    main.setOutputs(new int[] {1});
    models.operator(main, BuiltinOperator.ADD, new int[] {0}, 1);
    SubGraphT weights = models.subgraph(3);
    weights.getTensors()[0].setBuffer(models.data((byte) 1, (byte) 2, (byte) 3));
    return models;
  }

  private byte[] write(byte[] model, int... offsets) throws IOException {
    Path in = Files.write(folder.resolve("in.tflite"), model);
    Path out = folder.resolve("out.tflite");
    Files.deleteIfExists(out);
    OfflinePlanWriter.write(in, OfflinePlan.of(offsets), List.of(), out);
    return Files.readAllBytes(out);
  }

  /** The plan as the schema classes read it: the last entry of the name. */
  private static int[] planOf(byte[] model) {
    Model root = Model.getRootAsModel(ByteBuffer.wrap(model));
    for (int i = root.metadataLength() - 1; i >= 0; i--) {
      Metadata entry = root.metadata(i);
      if (entry.name() != null && entry.name().equals("OfflineMemoryAllocation")) {
        Buffer buffer = root.buffers((int) entry.buffer());
        ByteBuffer words = buffer.dataAsByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        assertThat(words.getInt(words.position() + 4)).isEqualTo(root.subgraphsLength());
        int[] offsets = new int[words.getInt(words.position() + 8)];
        Arrays.setAll(offsets, k -> words.getInt(words.position() + 12 + 4 * k));
        return offsets;
      }
    }
    throw new AssertionError("no plan");
  }

  /**
   * Everything but plans that the schema classes read from a model.
   *
   * @param text all but the bytes of buffers
   * @param data the bytes of all buffers that have some
   */
  private record Content(String text, List<IntBuffer> data) {}

  private static Content withoutPlans(byte[] model) {
    ModelT content = Model.getRootAsModel(ByteBuffer.wrap(model)).unpack();
    var metadata =
        content.getMetadata() == null ? List.<Object>of() : List.of(content.getMetadata());
    content.setMetadata(null);
    var buffers = new ArrayList<>(List.of(content.getBuffers()));
    for (Object entry : metadata) {
      var plan = (MetadataT) entry;
      if (OfflinePlanEntry.NAME.equals(plan.getName())) {
        int index = (int) plan.getBuffer();
        if (index == buffers.size() - 1) {
          buffers.removeLast();
        } else {
          buffers.get(index).setData(new int[0]);
        }
      }
    }
    List<IntBuffer> data = new ArrayList<>();
    for (BufferT buffer : buffers) {
      if (buffer.getData() != null) {
        data.add(IntBuffer.wrap(buffer.getData()));
        buffer.setData(new int[0]);
      }
    }
    content.setBuffers(buffers.toArray(BufferT[]::new));
    return new Content(new ObjectMapper().writeValueAsString(content), data);
  }

  private static boolean contains(byte[] copy, byte[] model) {
    int moved = copy.length - model.length;
    return Arrays.equals(copy, moved, copy.length, model, 0, model.length);
  }

  private static byte[] withLargeOptions(long offset, long bytes) {
    FlatBufferBuilder builder = new FlatBufferBuilder();
    int outputs = Operator.createOutputsVector(builder, new int[] {0});
    builder.startTable(11);
    builder.addOffset(2, outputs, 0);
    builder.addLong(9, offset, 0);
    builder.addLong(10, bytes, 0);
    int operator = builder.endTable();
    int shape = Tensor.createShapeVector(builder, new int[] {4});
    int tensor = Tensor.createTensor(builder, shape, (byte) 0, 0, 0, 0, false, 0, 0, false, 0);
    int tensors = SubGraph.createTensorsVector(builder, new int[] {tensor});
    int operators = SubGraph.createOperatorsVector(builder, new int[] {operator});
    int subgraph = SubGraph.createSubGraph(builder, tensors, 0, 0, operators, 0);
    int subgraphs = Model.createSubgraphsVector(builder, new int[] {subgraph});
    int buffers = Model.createBuffersVector(builder, new int[] {Buffer.createBuffer(builder, 0)});
    int code = OperatorCode.createOperatorCode(builder, (byte) 32, 0, 1, 32);
    int codes = Model.createOperatorCodesVector(builder, new int[] {code});
    Model.finishModelBuffer(
        builder, Model.createModel(builder, 3, codes, subgraphs, 0, buffers, 0, 0, 0));
    return builder.sizedByteArray();
  }

  /** A model with vectors in fields 9 and 12 and a number in field 10. */
  private static byte[] withNewerFields(int bytesInFront) {
    FlatBufferBuilder builder = new FlatBufferBuilder();
    int vector = builder.createString("hello");
    int shape = Tensor.createShapeVector(builder, new int[] {4});
    int tensor = Tensor.createTensor(builder, shape, (byte) 0, 0, 0, 0, false, 0, 0, false, 0);
    int tensors = SubGraph.createTensorsVector(builder, new int[] {tensor});
    int subgraph = SubGraph.createSubGraph(builder, tensors, 0, 0, 0, 0);
    int subgraphs = Model.createSubgraphsVector(builder, new int[] {subgraph});
    int buffers = Model.createBuffersVector(builder, new int[] {Buffer.createBuffer(builder, 0)});
    builder.startTable(13);
    builder.addInt(0, 3, 0);
    builder.addOffset(2, subgraphs, 0);
    builder.addOffset(4, buffers, 0);
    builder.addOffset(9, vector, 0);
    builder.addInt(10, 8765, 0);
    builder.addOffset(12, vector, 0);
    int root = builder.endTable();
    if (bytesInFront > 0) {
      builder.createByteVector(new byte[bytesInFront]);
    }
    Model.finishModelBuffer(builder, root);
    return builder.sizedByteArray();
  }

  /**
   * A model with an archive at its end, whose positions count from the model's start or its own.
   */
  private static byte[] withArchive(byte[] model, boolean countsFromModel) throws IOException {
    ByteArrayOutputStream archive = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(archive)) {
      ZipEntry entry = new ZipEntry("labels.txt");
      // A time of now would change the bytes, and with them the damaged models of a seed.
      entry.setTimeLocal(LocalDateTime.of(2026, 1, 1, 0, 0));
      zip.putNextEntry(entry);
      zip.write(MicroModels.ascii("labels"));
    }
    byte[] both = Arrays.copyOf(model, model.length + archive.size());
    System.arraycopy(archive.toByteArray(), 0, both, model.length, archive.size());
    if (countsFromModel) {
      ByteBuffer words = ByteBuffer.wrap(both).order(ByteOrder.LITTLE_ENDIAN);
      int end = both.length - 22;
      int directory = words.getInt(end + 16) + model.length;
      words.putInt(end + 16, directory);
      words.putInt(directory + 42, words.getInt(directory + 42) + model.length);
    }
    return both;
  }

  private static int directoryAt(byte[] model) {
    return ByteBuffer.wrap(model).order(ByteOrder.LITTLE_ENDIAN).getInt(model.length - 6);
  }

  private String labels(byte[] model) throws IOException {
    Path file = Files.write(folder.resolve("archive.zip"), model);
    try (ZipFile zip = new ZipFile(file.toFile())) {
      return new String(
          zip.getInputStream(zip.getEntry("labels.txt")).readAllBytes(), StandardCharsets.US_ASCII);
    }
  }
}
