package dev.stowage.onnxruntime;

import static dev.stowage.testing.CompiledClasses.callsInDefaultLocale;
import static dev.stowage.testing.CompiledClasses.mutableStatics;
import static dev.stowage.testing.CompiledClasses.references;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.CompiledClasses;
import java.io.InputStream;
import java.lang.classfile.ClassModel;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The dependencies of this module, read from its compiled classes. */
class WallsTest {

  private static final String ROOT = "dev/stowage/onnxruntime";

  @Test
  void everyClass_usesOnlyTheJdkStowageAndTheEngine() throws Exception {
    assertThat(
            classes().stream().flatMap(model -> references(model, WallsTest::isAllowed).stream()))
        .isEmpty();
  }

  @Test
  void everyClass_exceptTheAllocator_doesNotUseTheEnginesJavaClasses() throws Exception {
    assertThat(
            classes().stream()
                .flatMap(model ->
                    references(model, name -> !name.startsWith("ai/onnxruntime/")).stream())
                .filter(use -> !use.startsWith(ROOT + "/OnnxRuntimeAllocator ")))
        .isEmpty();
  }

  @Test
  void everyClass_hasNoMutableStatics() throws Exception {
    assertThat(classes().stream().flatMap(model -> mutableStatics(model).stream())).isEmpty();
  }

  @Test
  void everyClass_formatsInNoDefaultLocale() throws Exception {
    assertThat(classes().stream().flatMap(model -> callsInDefaultLocale(model).stream())).isEmpty();
  }

  @Test
  void moduleDescriptor_requires_onlyTheJdkAndStowageAtRunTime() throws Exception {
    try (InputStream in =
        Files.newInputStream(
            CompiledClasses.folder(OnnxRuntimeAllocator.class).resolve("module-info.class"))) {
      assertThat(
              ModuleDescriptor.read(in).requires().stream()
                  .filter(r -> !r.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC))
                  .map(ModuleDescriptor.Requires::name))
          .containsExactlyInAnyOrder("java.base", "dev.stowage.core", "dev.stowage.memory");
    }
  }

  private static boolean isAllowed(String name) {
    return name.startsWith("java/")
        || name.startsWith(ROOT + "/")
        || name.startsWith("dev/stowage/core/bfc/")
        || name.startsWith("dev/stowage/memory/device/")
        || name.startsWith("ai/onnxruntime/")
        || name.startsWith("org/jspecify/annotations/");
  }

  private static List<ClassModel> classes() throws Exception {
    List<ClassModel> classes = CompiledClasses.in(OnnxRuntimeAllocator.class, ROOT);
    assertThat(classes).hasSizeGreaterThan(10);
    return classes;
  }
}
