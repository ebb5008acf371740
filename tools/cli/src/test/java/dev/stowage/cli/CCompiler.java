package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The compiler of the machine, for programs in C99 and C++ that must have no warnings. */
final class CCompiler {

  private CCompiler() {}

  /**
   * Compiles a program as C99 and as C++, runs both, and asserts that they exit with 0. Without a
   * compiler, the test is skipped at that point.
   *
   * @param source the program, in the folder of the files that it includes
   */
  static void assertRuns(Path source) throws IOException, InterruptedException {
    assumeExists("cc", "needs a C compiler (Debian's gcc and libc6-dev)");
    assertRuns(source, "cc", "-std=c99", "-x", "c");
    assumeExists("c++", "needs a C++ compiler (Debian's g++)");
    assertRuns(source, "c++", "-std=c++11", "-x", "c++");
  }

  private static void assumeExists(String compiler, String reason) {
    assumeTrue(
        Stream.of("/usr/bin", "/bin").anyMatch(bin -> Files.exists(Path.of(bin, compiler))),
        reason);
  }

  private static void assertRuns(Path source, String compiler, String... options)
      throws IOException, InterruptedException {
    Path program = source.resolveSibling("program-" + compiler);
    Stream<String> command =
        Stream.of(
                List.of(compiler),
                List.of(options),
                List.of(
                    "-Wall", "-Wextra", "-Wunused-const-variable", "-Werror", "-pedantic", "-o"),
                List.of(program.toString(), source.toString()))
            .flatMap(List::stream);
    assertThat(new ProcessBuilder(command.toList()).inheritIO().start().waitFor()).isZero();
    assertThat(new ProcessBuilder(program.toString()).inheritIO().start().waitFor()).isZero();
  }
}
