package dev.stowage.tflite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.Walls;
import org.junit.jupiter.api.Test;

/** The libraries that this module uses, and the exported package. */
class WallsTest {

  private static final Walls WALLS =
      new Walls(TfliteReader.class, "dev/stowage/tflite")
          .withPackage("")
          .withOutside(
              "java",
              "com/google/flatbuffers",
              "dev/stowage/core",
              "org/jspecify/annotations",
              "org/tensorflow/lite/schema")
          .withReserved("dev/stowage/core/bfc")
          .withRequired(
              "java.base", "dev.stowage.core", "flatbuffers.java", "tensorflow.lite.metadata")
          .withExported("dev.stowage.tflite");

  @Test
  void walls_ofThisModule_areKept() throws Exception {
    assertThat(WALLS.breaches()).isEmpty();
  }
}
