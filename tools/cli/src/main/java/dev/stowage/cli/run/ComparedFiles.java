package dev.stowage.cli.run;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.diff.ComparedKind;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.trace.format.TraceOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Two files that a command compares. */
public final class ComparedFiles {

  private final CommandSpec spec;
  private final String first;
  private final String second;
  private int exitCode = ExitCode.DONE;

  /** The first of the files whose kind is known. */
  private Optional<String> known = Optional.empty();

  /** The work on one of the files. */
  public interface Reader<T> {

    /** {@return the content of a file} */
    T read(int index, String file) throws IOException, InputRefusedException;
  }

  public ComparedFiles(CommandSpec spec, String first, String second) {
    this.spec = spec;
    this.first = first;
    this.second = second;
  }

  /** {@return the first file as on the command line} */
  public String first() {
    return first;
  }

  /** {@return the second file as on the command line} */
  public String second() {
    return second;
  }

  /** {@return the exit code of the last reading} */
  public int exitCode() {
    return exitCode;
  }

  /**
   * {@return the kind of both files; empty, with a message, if their kinds differ}
   *
   * @param options the options with which recordings are read
   */
  public Optional<ComparedKind> kind(TraceOptions options) {
    Optional<ComparedKind> ofFirst = ComparedKind.of(first, options);
    Optional<ComparedKind> ofSecond = ComparedKind.of(second, options);
    if (ofFirst.isPresent() && ofSecond.isPresent() && !ofFirst.equals(ofSecond)) {
      Diagnostics.of(spec)
          .report(
              "%s: is %s, but %s is %s; expected two files of one kind: recordings, models or problems, or baselines",
              second, ofSecond.get().description(), first, ofFirst.get().description());
      return Optional.empty();
    }
    known = ofFirst.isPresent() ? Optional.of(first) : ofSecond.map(_ -> second);
    // Without an existing file, reading them reports that both do not exist.
    return Optional.of(ofFirst.or(() -> ofSecond).orElse(ComparedKind.RECORDING));
  }

  /**
   * Checks that options apply to the kind of the files.
   *
   * @param needed the kind that the options need
   * @param inputs the files of that kind, in a sentence
   * @throws ParameterException if the kind is another one and an option is given
   */
  public void checkOptions(
      ComparedKind kind, ComparedKind needed, String inputs, Set<String> options) {
    for (String option : options) {
      if (kind != needed
          && known.isPresent()
          && spec.commandLine().getParseResult().hasMatchedOption(option)) {
        throw Usage.error(
            spec,
            "%s is for %s, but '%s' is %s; omit it",
            option,
            inputs,
            known.get(),
            kind.description());
      }
    }
  }

  /** {@return the contents of both files; without those that cannot be read, which are reported} */
  public <T> List<T> readBoth(Reader<T> reader) {
    List<T> read = new ArrayList<>();
    exitCode =
        EachFile.run(
            spec,
            List.of(first, second),
            "compared",
            (index, file) -> {
              read.add(reader.read(index, file));
              return ExitCode.DONE;
            });
    return read;
  }

  /** Reports that both files together have no result. */
  public void fail(Exception failure) {
    exitCode = Diagnostics.of(spec).reportFailure(second, failure);
  }
}
