package dev.stowage.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.Walls;
import org.junit.jupiter.api.Test;

/** The packages of this module, their dependencies, and the exports of the module. */
class WallsTest {

  private static final Walls WALLS =
      new Walls(OnnxReader.class, "dev/stowage/onnx")
          .withPackage("graph")
          .withPackage("layout", "graph")
          .withPackage("engine", "graph")
          .withPackage("symbolic", "graph")
          .withPackage("", "graph", "symbolic", "engine")
          .withPackage("memory", "graph", "layout", "engine")
          .withPackage("budget", "engine", "memory")
          .withOutside(
              "java",
              "dev/stowage/core",
              "dev/stowage/memory/device",
              "dev/stowage/onnxruntime/capi",
              "ai/onnx/proto",
              "ai/onnxruntime",
              "com/sun/management",
              "com/google/protobuf",
              "tools/jackson/core",
              "org/jspecify/annotations")
          .withReserved("ai/onnxruntime", "engine")
          .withReserved("com/sun/management", "memory")
          .withReserved("dev/stowage/memory", "engine")
          .withReserved("dev/stowage/onnxruntime", "engine")
          .withReserved("java/io", "", "budget", "engine", "memory")
          .withReserved("java/lang/foreign", "engine")
          .withReserved("java/net")
          .withReserved("java/nio/channels", "", "engine")
          .withReserved("java/nio/file", "", "budget", "engine", "memory")
          .withReserved("java/util/concurrent", "", "engine")
          .withReserved("tools/jackson", "engine")
          .withThreadsIn(
              "dev/stowage/onnx/engine/EngineStop", "dev/stowage/onnx/engine/ProfileFile")
          .withRequired(
              "java.base",
              "com.google.protobuf",
              "dev.stowage.core",
              "dev.stowage.memory",
              "dev.stowage.onnxruntime",
              "jdk.management",
              "org.tribuo.util.onnx",
              "tools.jackson.core")
          .withExported("dev.stowage.onnx", "dev.stowage.onnx.budget", "dev.stowage.onnx.memory");

  @Test
  void walls_ofThisModule_areKept() throws Exception {
    assertThat(WALLS.breaches()).isEmpty();
  }
}
