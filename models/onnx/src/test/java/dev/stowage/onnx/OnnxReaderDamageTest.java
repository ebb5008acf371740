package dev.stowage.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.stowage.onnx.file.OnnxFile;
import dev.stowage.onnx.graph.FixedDimensions;
import dev.stowage.onnx.graph.GraphAssembly;
import dev.stowage.onnx.graph.ModelGraph;
import dev.stowage.onnx.graph.PlannedValues;
import dev.stowage.onnx.graph.ShapeQuestion;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.TensorScope;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.testing.SampleModels;
import dev.stowage.testing.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Randomly damaged models. The reader returns a graph and its records or throws its one exception.
 * Only a few models need ONNX Runtime.
 */
class OnnxReaderDamageTest {

  private static final int SEED_COUNT = 50;
  private static final int MODELS_PER_SEED = 200;
  private static final int ENGINE_SEED_COUNT = 10;
  private static final int ENGINE_MODELS_PER_SEED = 20;
  private static final long LARGEST_BYTES = 100 << 10;

  private static final List<byte[]> MODELS = models();

  static LongStream seeds() {
    return seeds(SEED_COUNT);
  }

  static LongStream engineSeeds() {
    return seeds(ENGINE_SEED_COUNT);
  }

  private static LongStream seeds(int count) {
    return Seeds.of(count);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void graph_damagedModel_givesRecordsOrTheError(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < MODELS_PER_SEED; i++) {
      byte[] model = MODELS.get(random.nextInt(MODELS.size()));
      assertRecordsOrError(damage(model, random), "seed %s, model %s".formatted(seed, i));
    }
  }

  @Test
  void graph_modelCutAnywhere_givesRecordsOrTheError() {
    byte[] model = TestModels.everything();
    for (int length = 0; length < model.length; length++) {
      assertRecordsOrError(ByteBuffer.wrap(model, 0, length).slice(), "cut at " + length);
    }
  }

  @Test
  void graph_modelWithAnyByteChanged_givesRecordsOrTheError() {
    byte[] model = TestModels.everything();
    for (int at = 0; at < model.length; at++) {
      for (int flip : new int[] {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
        byte[] damaged = model.clone();
        damaged[at] ^= (byte) flip;
        assertRecordsOrError(ByteBuffer.wrap(damaged), "flip %s at %s".formatted(flip, at));
      }
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("engineSeeds")
  void read_damagedModel_givesAPlanOrTheError(long seed) throws IOException {
    Random random = new Random(seed);
    for (int i = 0; i < ENGINE_MODELS_PER_SEED; i++) {
      byte[] model = MODELS.get(random.nextInt(MODELS.size()));
      try {
        OnnxProblem problem =
            OnnxReader.read("damaged", damage(model, random), OnnxOptions.defaults());
        assertPlannable(problem.problem().records(), problem.nodes().size(), "seed " + seed);
      } catch (MalformedFileException | OpenDimensionsException e) {
        assertThat(e).hasMessageStartingWith("damaged: ");
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed %s, model %s".formatted(seed, i), e);
      }
    }
  }

  private static ByteBuffer damage(byte[] model, Random random) {
    byte[] damaged = model.clone();
    int damageCount = 1 + random.nextInt(6);
    for (int i = 0; i < damageCount; i++) {
      int at = random.nextInt(model.length);
      switch (random.nextInt(4)) {
        case 0 -> damaged[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> damaged[at] = (byte) random.nextInt();
        case 2 -> damaged[at]++; // another field, length or letter
        default -> damaged[at] = -1; // a number that goes on
      }
    }
    boolean isCut = random.nextInt(6) == 0;
    return ByteBuffer.wrap(damaged, 0, isCut ? random.nextInt(model.length) : model.length).slice();
  }

  private static void assertRecordsOrError(ByteBuffer bytes, String what) {
    try {
      ModelProto model = OnnxFile.parse("damaged", bytes);
      ModelProto fixed = new FixedDimensions(Map.of("batch", 2L, "N", 1L)).applyTo(model);
      ModelGraph graph = GraphAssembly.assemble("damaged", fixed);
      for (TensorScope scope : TensorScope.values()) {
        PlannedValues planned = PlannedValues.of(graph, scope, true, Map.of());
        assertPlannable(planned.records(), graph.nodes().size(), what);
        assertThat(planned.values()).as(what).hasSameSizeAs(planned.records());
      }
      FixedDimensions.openIn(graph);
      List<String> names = graph.outputs().stream().map(value -> value.name()).toList();
      assertThat(ShapeQuestion.of(fixed, names).toByteArray()).as(what).isNotEmpty();
      assertThat(ShapeQuestion.ofRanks(fixed, names).toByteArray()).as(what).isNotEmpty();
    } catch (MalformedFileException e) {
      assertThat(e).as(what).hasMessageStartingWith("damaged: ").hasMessageContaining("expected");
    } catch (RuntimeException | Error e) {
      throw new AssertionError(what + ": expected a graph or a MalformedFileException", e);
    }
  }

  private static void assertPlannable(
      List<TensorUsageRecord> records, int operatorCount, String what) {
    for (TensorUsageRecord record : records) {
      assertThat(record.bytes()).as(what).isPositive();
      assertThat(record.firstTask()).as(what).isNotNegative();
      assertThat(record.lastTask())
          .as(what)
          .isBetween(record.firstTask(), Math.max(0L, operatorCount - 1L));
    }
  }

  /** A model with all features, and the sample models with few weights. */
  private static List<byte[]> models() {
    List<byte[]> models = new ArrayList<>(List.of(TestModels.everything()));
    try {
      List<Path> files = new ArrayList<>(SampleModels.in(SampleModels.examples(), ".onnx"));
      files.addAll(SampleModels.all(".onnx", "models/onnx", "models/skeleton", "corrupt/onnx"));
      for (Path file : files) {
        if (Files.size(file) <= LARGEST_BYTES && Files.size(file) > 0) {
          models.add(withoutWeights(Files.readAllBytes(file)).orElse(new byte[] {0}));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return models;
  }

  /** Leaves out most bytes of weights, in which damage has no effect. */
  private static Optional<byte[]> withoutWeights(byte[] bytes) throws IOException {
    try {
      ModelProto.Builder model = ModelProto.parseFrom(bytes).toBuilder();
      for (TensorProto.Builder tensor : model.getGraphBuilder().getInitializerBuilderList()) {
        ByteString data = tensor.getRawData();
        tensor.setRawData(data.substring(0, Math.min(64, data.size())));
      }
      return Optional.of(model.build().toByteArray());
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }
}
