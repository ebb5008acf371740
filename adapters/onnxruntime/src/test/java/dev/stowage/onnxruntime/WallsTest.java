package dev.stowage.onnxruntime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.CompiledClasses;
import dev.stowage.testing.Walls;
import org.junit.jupiter.api.Test;

/** The packages of this module, their dependencies, and the exports of the module. */
class WallsTest {

  private static final String ROOT = "dev/stowage/onnxruntime";

  private static final Walls WALLS =
      new Walls(OnnxRuntimeAllocator.class, ROOT)
          .withPackage("capi")
          .withPackage("process")
          .withPackage("", "capi", "process")
          .withOutside(
              "java",
              "dev/stowage/core/bfc",
              "dev/stowage/memory/device",
              "ai/onnxruntime",
              "org/jspecify/annotations")
          .withReserved("ai/onnxruntime", "")
          .withReserved("java/net")
          .withReserved("java/nio/file", "capi", "process")
          .withRequired("java.base", "java.management", "dev.stowage.core", "dev.stowage.memory")
          .withExported(
              "dev.stowage.onnxruntime", "dev.stowage.onnxruntime.capi to [dev.stowage.onnx]");

  @Test
  void walls_ofThisModule_areKept() throws Exception {
    assertThat(WALLS.breaches()).isEmpty();
  }

  @Test
  void everyClass_exceptTheAllocator_doesNotUseTheEnginesJavaClasses() throws Exception {
    assertThat(
            CompiledClasses.in(OnnxRuntimeAllocator.class, ROOT).stream()
                .filter(model ->
                    !model.thisClass().asInternalName().equals(ROOT + "/OnnxRuntimeAllocator"))
                .flatMap(model ->
                    CompiledClasses.references(model, name -> !name.startsWith("ai/onnxruntime/"))
                        .stream()))
        .isEmpty();
  }
}
