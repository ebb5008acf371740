package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class StackMapsTest {

  @TempDir private Path folder;

  @Test
  void addTo_picocli_changesOnlyVersionsAndStackMaps() throws Exception {
    Map<String, byte[]> before = entries(picocli());
    Path jar = withStackMaps("picocli.jar");
    Map<String, byte[]> after = entries(jar);
    assertThat(after.keySet()).isEqualTo(before.keySet());
    for (String name : before.keySet()) {
      if (name.endsWith(".class") && !name.endsWith("module-info.class")) {
        ClassModel old = ClassFile.of().parse(before.get(name));
        ClassModel changed = ClassFile.of().parse(after.get(name));
        assertThat(changed.majorVersion()).as(name).isEqualTo(ClassFile.JAVA_7_VERSION);
        assertThat(ClassFile.of().verify(changed)).as(name).isEmpty();
        assertThat(changed.methods().stream().map(Object::toString))
            .as(name)
            .isEqualTo(old.methods().stream().map(Object::toString).toList());
      } else {
        assertThat(after.get(name)).as(name).isEqualTo(before.get(name));
      }
    }
  }

  @Test
  void addTo_picocli_libraryStillParses() throws Exception {
    URL[] urls = {withStackMaps("picocli.jar").toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
      // Each class is verified when it is initialized.
      for (String name : entries(picocli()).keySet()) {
        if (name.startsWith("picocli/") && name.endsWith(".class") && !name.contains("groovy")) {
          Class.forName(name.substring(0, name.length() - 6).replace('/', '.'), true, loader);
        }
      }
      Class<?> type = loader.loadClass("picocli.CommandLine$Help$Ansi");
      assertThat(type.getEnumConstants()).hasSize(3);
    }
  }

  @Test
  void addTo_twice_sameBytes() throws Exception {
    Path once = withStackMaps("once.jar");
    Path twice = withStackMaps("twice.jar");
    StackMaps.addTo(twice);
    assertThat(twice).hasSameBinaryContentAs(once);
  }

  private Path withStackMaps(String name) throws Exception {
    Path jar = folder.resolve(name);
    Files.copy(picocli(), jar);
    StackMaps.addTo(jar);
    return jar;
  }

  private static Path picocli() throws URISyntaxException {
    URI location = CommandLine.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    return Path.of(location);
  }

  private static Map<String, byte[]> entries(Path jar) throws IOException {
    Map<String, byte[]> entries = new TreeMap<>();
    try (ZipFile file = new JarFile(jar.toFile())) {
      for (ZipEntry entry :
          (Iterable<ZipEntry>) file.stream().map(ZipEntry.class::cast)::iterator) {
        entries.put(entry.getName(), file.getInputStream(entry).readAllBytes());
      }
    }
    return entries;
  }
}
