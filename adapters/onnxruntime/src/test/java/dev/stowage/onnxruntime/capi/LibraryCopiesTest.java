package dev.stowage.onnxruntime.capi;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OrtEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Which files are deleted, and that those of this process are. */
final class LibraryCopiesTest {

  @TempDir private Path temporary;

  private Path folder = Path.of("");
  private final List<String> maps = new ArrayList<>();

  @BeforeEach
  void createFolder() throws IOException {
    folder = Files.createDirectory(temporary.resolve("onnxruntime-java4711"));
    maps.add("7f3a00000000-7f3a00001000 rw-p 00000000 00:00 0 ");
    maps.add("7f3a10000000-7f3a10001000 r-xp 00000000 08:01 42 /lib/onnxruntime-javax/");
    maps.add("7f3a20000000-7f3a20001000 rw-p 00000000 00:00 0 [stack]");
  }

  private Path file(String name) throws IOException {
    return Files.createFile(folder.resolve(name));
  }

  /** Adds two of the mappings of a file. */
  private void map(Path file) {
    maps.add("7f3a30000000-7f3a31000000 r--p 00000000 08:01 4711       " + file);
    maps.add("7f3a31000000-7f3a32000000 r-xp 01000000 08:01 4711       " + file);
  }

  private void delete() throws IOException {
    LibraryCopies.deleteListed(Files.write(temporary.resolve("maps"), maps));
  }

  @Test
  void delete_loadedCopies_deletesThemAndTheirFolder() throws IOException {
    map(file("libonnxruntime.so"));
    map(file("libonnxruntime4j_jni.so"));
    Path other = Files.createDirectory(temporary.resolve("onnxruntime-java42"));
    delete();
    assertThat(folder).doesNotExist();
    assertThat(other).exists();
    maps.replaceAll(line -> line.endsWith(".so") ? line + " (deleted)" : line);
    delete();
  }

  @Test
  void delete_copiesThatAreNotLoaded_keepsAll() throws IOException {
    map(file("libonnxruntime.so"));
    Path later = file("libonnxruntime4j_jni.so");
    delete();
    assertThat(folder.resolve("libonnxruntime.so")).exists();
    map(later);
    file("libonnxruntime_providers_shared.so");
    delete();
    assertThat(folder).isDirectoryContaining("glob:**.so").isNotEmptyDirectory();
    assertThat(later).exists();
  }

  @Test
  void delete_otherSystemOrFolder_deletesNothing() throws IOException {
    Path own = Files.createDirectory(temporary.resolve("own"));
    Path library = Files.createFile(own.resolve("libonnxruntime4j_jni.so"));
    map(library);
    delete();
    assertThat(library).exists();
    LibraryCopies.deleteListed(temporary.resolve("none"));
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "/proc names the files of a process")
  void delete_thisProcess_hasNoneLeft() throws IOException {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    LibraryCopies.delete();
    assertThat(Files.readAllLines(Path.of("/proc/self/maps")))
        .noneMatch(line -> line.endsWith("/libonnxruntime.so"));
    assertThat(environment.getVersion()).isNotEmpty();
  }
}
