package dev.stowage.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleDescriptor.Requires;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What this module may know and show, as it is compiled: the compiler holds everyone to that. */
class WallsTest {

  private static ModuleDescriptor descriptor() throws Exception {
    URI compiled = OpenClDevice.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    try (InputStream in = Files.newInputStream(Path.of(compiled).resolve("module-info.class"))) {
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
        .containsExactly("dev.stowage.opencl");
    assertThat(descriptor.opens()).isEmpty();
    assertThat(descriptor.uses()).isEmpty();
    assertThat(descriptor.provides()).isEmpty();
  }
}
