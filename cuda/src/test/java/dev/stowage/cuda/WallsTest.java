package dev.stowage.cuda;

import static dev.stowage.testing.CompiledClasses.callsInDefaultLocale;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.CompiledClasses;
import java.io.InputStream;
import java.lang.classfile.ClassModel;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleDescriptor.Requires;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What this module may know and show, as it is compiled: the compiler holds everyone to that. */
class WallsTest {

  private static ModuleDescriptor descriptor() throws Exception {
    try (InputStream in =
        Files.newInputStream(
            CompiledClasses.folder(CudaDevice.class).resolve("module-info.class"))) {
      return ModuleDescriptor.read(in);
    }
  }

  @Test
  void requires_atRunTime_memoryAndTheJdksBaseAlone() throws Exception {
    assertThat(descriptor().requires())
        .filteredOn(each -> !each.modifiers().contains(Requires.Modifier.STATIC))
        .extracting(Requires::name)
        .containsExactlyInAnyOrder("java.base", "dev.stowage.memory");
  }

  @Test
  void exports_toEveryone_itsOnePackage() throws Exception {
    ModuleDescriptor descriptor = descriptor();
    assertThat(descriptor.exports())
        .extracting(Exports::toString)
        .containsExactly("dev.stowage.cuda");
    assertThat(descriptor.opens()).isEmpty();
    assertThat(descriptor.uses()).isEmpty();
    assertThat(descriptor.provides()).isEmpty();
  }

  @Test
  void everyClass_formatsInNoDefaultLocale() throws Exception {
    List<ClassModel> classes = CompiledClasses.in(CudaDevice.class, "dev/stowage/cuda");
    assertThat(classes).hasSizeGreaterThan(10);
    assertThat(classes.stream().flatMap(model -> callsInDefaultLocale(model).stream())).isEmpty();
  }
}
