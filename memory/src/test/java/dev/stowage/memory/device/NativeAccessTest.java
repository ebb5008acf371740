package dev.stowage.memory.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.SubAllocator;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Without native access, the message names the option of the JVM. */
class NativeAccessTest {

  private static final String PROGRAM =
      """
      import dev.stowage.memory.device.HostMemory;

      class Opens {
        public static void main(String[] args) {
          for (int time = 0; time < 2; time++) {
            try {
              HostMemory.open().close();
            } catch (IllegalCallerException e) {
              System.out.println(e.getMessage());
            }
          }
        }
      }
      """;

  @TempDir private Path folder;

  @Tag("full")
  @Test
  void open_onTheClassPathWithoutAccess_namesTheOption() throws Exception {
    String said = "host memory needs native access: run with --enable-native-access=ALL-UNNAMED\n";
    assertThat(run("-cp", modules())).isEqualTo(said + said);
  }

  @Tag("full")
  @Test
  void open_asModuleWithoutAccess_namesTheOption() throws Exception {
    String said =
        "host memory needs native access: run with --enable-native-access=dev.stowage.memory\n";
    assertThat(run("-p", modules(), "--add-modules", "dev.stowage.memory")).isEqualTo(said + said);
  }

  private static String modules() throws URISyntaxException {
    return place(HostMemory.class) + File.pathSeparator + place(SubAllocator.class);
  }

  private static Path place(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private String run(String... options) throws IOException, InterruptedException {
    Path program = Files.writeString(folder.resolve("Opens.java"), PROGRAM);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--illegal-native-access=deny");
    command.addAll(List.of(options));
    command.add(program.toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.replace("\r\n", "\n");
  }
}
