package dev.stowage.cli;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.plan.Interruption;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;

/** The process {@code stowage}: a {@link Program} with the streams and signals of the process. */
public final class Stowage {

  /** The name of the standard output. */
  private static final Path DESCRIPTOR = Path.of("/dev/fd/1");

  private Stowage() {}

  /** Runs a command line and exits with its code. */
  public static void main(String[] args) {
    System.exit(run(new FileOutputStream(FileDescriptor.out), args));
  }

  /** {@return the exit code of a command line; its output goes to a stream} */
  static int run(OutputStream output, String... args) {
    // Numbers look the same for all users: ASCII digits, groups separated by commas.
    Locale.setDefault(Locale.ROOT);
    TrackedOutput stdout = new TrackedOutput(output);
    PrintWriter out = new PrintWriter(new OutputStreamWriter(stdout, StandardCharsets.UTF_8));
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    Interruption interruption = new Interruption();
    Signals.interrupt(interruption, stdout);
    Program program = new Program(new FileInputStream(FileDescriptor.in), out, err, interruption);
    int exitCode = program.run(args);
    out.flush();
    if (stdout.failure().isPresent()) {
      // A reader such as head closes the pipe early, which is not an error.
      if (!TrackedOutput.isPipe(DESCRIPTOR)) {
        err.println("stowage: the standard output cannot be written: " + stdout.failure().get());
      }
      exitCode = ExitCode.FAILED;
    }
    return exitCode;
  }
}
