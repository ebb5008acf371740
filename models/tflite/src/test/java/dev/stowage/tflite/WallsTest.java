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
              "dev/stowage/core",
              "com/google/flatbuffers",
              "org/tensorflow/lite/schema",
              "org/jspecify/annotations")
          .withReserved("dev/stowage/core/bfc")
          .withReserved("java/net")
          .withRequired(
              "java.base", "dev.stowage.core", "flatbuffers.java", "tensorflow.lite.metadata")
          .withExported("dev.stowage.tflite");

  @Test
  void walls_ofThisModule_areKept() throws Exception {
    assertThat(WALLS.breaches()).isEmpty();
  }
}
