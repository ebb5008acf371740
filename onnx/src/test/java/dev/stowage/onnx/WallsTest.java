package dev.stowage.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.Walls;
import org.junit.jupiter.api.Test;

/** The packages of this module, the packages that each of them uses, and the exported one. */
class WallsTest {

  private static final Walls WALLS =
      new Walls(OnnxReader.class, "dev/stowage/onnx")
          .withPackage("", "engine", "graph")
          .withPackage("graph")
          .withPackage("engine", "graph")
          .withOutside(
              "java",
              "ai/onnx/proto",
              "ai/onnxruntime",
              "com/google/protobuf",
              "dev/stowage/core",
              "dev/stowage/memory",
              "org/jspecify/annotations",
              "tools/jackson/core")
          .withReserved("ai/onnxruntime", "engine")
          .withReserved("dev/stowage/memory", "", "engine")
          .withReserved("java/io", "", "engine")
          .withReserved("java/lang/foreign", "engine")
          .withReserved("java/nio/channels", "", "engine")
          .withReserved("java/nio/file", "", "engine")
          .withReserved("tools/jackson/core", "engine")
          .withThreadsIn(
              "dev/stowage/onnx/engine/EngineStop", "dev/stowage/onnx/engine/ProfileFile")
          .withRequired(
              "java.base",
              "dev.stowage.core",
              "dev.stowage.memory",
              "com.google.protobuf",
              "org.tribuo.util.onnx",
              "tools.jackson.core")
          .withExported("dev.stowage.onnx");

  @Test
  void walls_ofThisModule_areKept() throws Exception {
    assertThat(WALLS.breaches()).isEmpty();
  }
}
