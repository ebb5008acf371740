package dev.stowage.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs of the unpacked download, with no Java on the PATH. */
@Timeout(120)
final class DownloadTest {

  private static final Path ROOT = Path.of(System.getProperty("stowage.root"));
  private static final long MAX_BYTES = 60_000_000;

  @TempDir private static Path folder;

  private static Path archive;
  private static Path download;
  private static Path tools;

  private record Run(int exitCode, String out, String err) {}

  @BeforeAll
  static void unpack() throws Exception {
    try (Stream<Path> files = Files.list(ROOT.resolve("release/dist/target/download"))) {
      archive = files.filter(file -> file.toString().endsWith(".tar.gz")).findFirst().orElseThrow();
    }
    Path target = Files.createDirectory(folder.resolve("a folder"));
    new ProcessBuilder("tar", "-xzf", archive.toString(), "-C", target.toString())
        .inheritIO()
        .start()
        .waitFor();
    try (Stream<Path> files = Files.list(target)) {
      download = files.findFirst().orElseThrow();
    }
    tools = Files.createDirectory(folder.resolve("tools"));
    for (String tool : List.of("sh", "find", "mkdir", "mv", "readlink", "rm", "uname")) {
      Path program =
          Stream.of("/bin", "/usr/bin")
              .map(bin -> Path.of(bin, tool))
              .filter(Files::exists)
              .findFirst()
              .orElseThrow();
      Path script =
          Files.writeString(tools.resolve(tool), "#!/bin/sh\nexec " + program + " \"$@\"\n");
      assertThat(script.toFile().setExecutable(true)).isTrue();
    }
  }

  /** Runs a command in the root of the project, without a cache of classes. */
  private static Run run(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(download.resolve("bin/stowage").toString()));
    command.addAll(List.of(arguments));
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(ROOT.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", tools.toString());
    builder.environment().put("STOWAGE_CACHE", "");
    int exitCode = builder.start().waitFor();
    return new Run(exitCode, Files.readString(out), Files.readString(err));
  }

  private static List<String> names(String child) throws IOException {
    try (Stream<Path> files = Files.list(download.resolve(child))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void archive_ofTheCommand_hasAtMost60MB() throws IOException {
    assertThat(Files.size(archive)).isLessThanOrEqualTo(MAX_BYTES);
  }

  @Test
  void plan_withoutJava_printsWhatReadmeShows() throws Exception {
    Run run = run("plan", "examples/mobilenet_v2.tflite");

    assertThat(run.err()).startsWith("Next: ").hasLineCount(1);
    assertThat(run.exitCode()).isZero();
    assertThat(Files.readString(ROOT.resolve("README.md"))).contains(run.out());
  }

  @Test
  void version_ofTheDownload_namesTheCommit() throws Exception {
    assertThat(run("--version").out())
        .matches("stowage \\S+ \\(commit [0-9a-f]{12} of [0-9-]{10}\\)\\n");
  }

  @Test
  void verify_withoutTheEngine_saysWhereItsJarBelongs() throws Exception {
    Run run = run("verify", "examples/tiny_cnn.onnx", "--dim", "batch=1");

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.err())
        .contains("ONNX Runtime is missing")
        .contains("into the folder " + download.resolve("lib"))
        .hasLineCount(1);
  }

  @Test
  void verify_withTwoVersionsOfTheEngine_namesThem() throws Exception {
    Path lib = download.resolve("lib");
    Path older = Files.writeString(lib.resolve("onnxruntime-1.20.0.jar"), "");
    Path newer = Files.writeString(lib.resolve("onnxruntime-1.29.0.jar"), "");
    Run run;
    try {
      run = run("verify", "examples/tiny_cnn.onnx", "--dim", "batch=1");
    } finally {
      Files.delete(older);
      Files.delete(newer);
    }

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo(
            "stowage: "
                + lib
                + " has two versions of ONNX Runtime, expected one: remove onnxruntime-1.20.0.jar or onnxruntime-1.29.0.jar\n");
  }

  @Test
  void manual_ofEachCommand_isThere() throws Exception {
    String help = run("--help").out();
    List<String> pages = names("share/man/man1");

    assertThat(pages).contains("stowage.1", "stowage-plan.1", "stowage-replay.1");
    for (String page : pages) {
      String command = page.replaceFirst("stowage-?", "").replaceFirst("\\.1$", "");
      assertThat(help).contains("  " + command);
    }
    assertThat(Files.readString(download.resolve("share/completions/stowage.bash")))
        .isEqualTo(run("generate-completion").out());
  }

  @Test
  void notice_namesEachLibrary() throws IOException {
    String notice = Files.readString(download.resolve("NOTICE"));

    assertThat(names("lib"))
        .contains("jvm.options")
        .noneMatch(name -> name.startsWith("onnxruntime"));
    for (String jar : names("lib")) {
      String name = jar.replaceFirst("-[0-9].*\\.jar$", "");
      if (jar.endsWith(".jar") && !name.startsWith("stowage-")) {
        assertThat(notice).contains(name);
      }
    }
  }
}
