package dev.stowage.tflite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.TensorScope;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.testing.SampleModels;
import dev.stowage.testing.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tensorflow.lite.schema.BuiltinOperator;

/** Randomly damaged models. The reader returns a problem or throws its one exception. */
class TfliteReaderDamageTest {

  private static final int SEED_COUNT = 50;
  private static final int MODELS_PER_SEED = 200;

  /** Values that are critical for lengths and offsets. */
  private static final int[] WORDS = {
    0, 1, -1, 4, 0x7FFFFFFF, 0x80000000, 0x7FFFFFFC, 0x3FFFFFFF, 0x40000000, 0x40000001, 0x10000
  };

  private static final List<byte[]> MODELS = models();

  static LongStream seeds() {
    return Seeds.of(SEED_COUNT);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void read_damagedModel_givesAPlanOrTheError(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < MODELS_PER_SEED; i++) {
      byte[] model = MODELS.get(random.nextInt(MODELS.size())).clone();
      assertPlanOrError(damage(model, random), "seed " + seed + ", model " + i);
    }
  }

  @Test
  void read_modelCutAnywhere_givesAPlanOrTheError() {
    byte[] model = chain();
    for (int length = 0; length < model.length; length++) {
      assertPlanOrError(ByteBuffer.wrap(model, 0, length).slice(), "cut at " + length);
    }
  }

  @Test
  void read_modelWithAnyWordOverwritten_givesAPlanOrTheError() {
    byte[] model = chain();
    for (int at = 8; at <= model.length - 4; at++) {
      for (int word : WORDS) {
        ByteBuffer damaged = ByteBuffer.wrap(model.clone()).order(ByteOrder.LITTLE_ENDIAN);
        assertPlanOrError(damaged.putInt(at, word), "word %s at %s".formatted(word, at));
      }
    }
  }

  private static ByteBuffer damage(byte[] model, Random random) {
    ByteBuffer damaged = ByteBuffer.wrap(model).order(ByteOrder.LITTLE_ENDIAN);
    int damageCount = 1 + random.nextInt(8);
    for (int i = 0; i < damageCount; i++) {
      // Words of a flatbuffer are aligned; an unaligned one changes two words.
      int at = random.nextInt(model.length - 4) & (random.nextInt(4) == 0 ? -1 : -4);
      switch (random.nextInt(4)) {
        case 0 -> damaged.put(at, (byte) (damaged.get(at) ^ 1 << random.nextInt(8)));
        case 1 -> damaged.putInt(at, WORDS[random.nextInt(WORDS.length)]);
        case 2 -> damaged.putInt(at, random.nextInt());
        // An offset to another place in the file, so that tables are misinterpreted.
        default -> damaged.putInt(at, random.nextInt(model.length));
      }
    }
    // Most files keep their identifier, because others are rejected at once.
    damaged.putInt(4, 0x334C4654);
    boolean isCut = random.nextInt(4) == 0;
    return isCut ? damaged.slice(0, random.nextInt(model.length)) : damaged;
  }

  private static void assertPlanOrError(ByteBuffer model, String what) {
    for (TensorScope scope : TensorScope.values()) {
      try {
        TfliteOptions options = TfliteOptions.defaults().withScope(scope).withInPlace();
        TfliteProblem problem = TfliteReader.read("damaged", model, options);
        assertThat(problem.tensors()).as(what).hasSameSizeAs(problem.problem().records());
        assertThat(problem.problem().records())
            .as(what)
            .allMatch(record -> isPlannable(record, problem.kinds().size()));
      } catch (MalformedFileException e) {
        assertThat(e).as(what).hasMessageStartingWith("damaged: ").hasMessageContaining("expected");
      } catch (RuntimeException | Error e) {
        throw new AssertionError(what + ": expected a plan or a MalformedFileException", e);
      }
    }
  }

  private static boolean isPlannable(TensorUsageRecord record, int operatorCount) {
    return record.bytes() > 0 && record.lastTask() < Math.max(1, operatorCount);
  }

  /** Built models, and the sample models with few weights. */
  private static List<byte[]> models() {
    List<byte[]> models = new ArrayList<>(List.of(chain()));
    try {
      List<Path> files = new ArrayList<>(SampleModels.in(SampleModels.examples(), ".tflite"));
      files.addAll(SampleModels.all(".tflite", "models/tflite", "corrupt/tflite"));
      for (Path file : files) {
        if (Files.size(file) <= 512 << 10) {
          models.add(Files.readAllBytes(file));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return models;
  }

  private static byte[] chain() {
    TestModel model = TestModel.chain(4).buffer(40).externalBuffer(64, 16).furtherSubgraph("body");
    model.tensor("weights", TestModel.FLOAT32, 1, false, 10);
    model.tensor("state", TestModel.FLOAT32, 0, true, 10).operator(new int[] {6, 7, -1}, 7);
    model.tensor("view", 4).operatorOf(BuiltinOperator.RESHAPE, new int[] {2}, 8);
    return TestModel.bytesOf(model.write(new int[] {0}, 5));
  }
}
