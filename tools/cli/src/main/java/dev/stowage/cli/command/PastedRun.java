package dev.stowage.cli.command;

import dev.stowage.cli.conclusion.WhoConclusion;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.pasted.PastedMemory;
import dev.stowage.cli.pasted.PastedReader;
import dev.stowage.cli.pasted.PastedVerdict;
import dev.stowage.cli.report.PastedAnswer;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.process.MemoryByOwner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The reading of texts that people paste, and the output of the memory in them. */
final class PastedRun {

  /** The mark of a dump, whose sections have names. */
  private static final Pattern SECTION = Pattern.compile("(?m)^\uFEFF?== \\S");

  private final Diagnostics diagnostics;
  private final WhoRun run;

  PastedRun(Diagnostics diagnostics, WhoRun run) {
    this.diagnostics = diagnostics;
    this.run = run;
  }

  /** {@return true if words are the paths of files, of which one is no dump} */
  static boolean arePasted(List<String> words) throws IOException {
    boolean isPasted = false;
    for (String word : words) {
      if (ProcessDumpReader.isProcess(word) || !Files.isRegularFile(Path.of(word))) {
        return false;
      }
      String text = new String(Files.readAllBytes(Path.of(word)), StandardCharsets.ISO_8859_1);
      isPasted |= !SECTION.matcher(text).find();
    }
    return isPasted;
  }

  /** Prints the memory in the texts of files and {@return the exit code} */
  int run(List<String> paths) throws IOException {
    List<byte[]> texts = new ArrayList<>();
    for (String path : paths) {
      texts.add(Files.readAllBytes(Path.of(path)));
    }
    Optional<PastedMemory> read = PastedReader.read(texts);
    if (read.isEmpty()) {
      diagnostics.report(
          "%s: has no figures on the memory of a process, expected a dump, the output of jcmd"
              + " VM.native_memory or VM.info, an hs_err file, smaps, smaps_rollup, pmap -x, kubectl"
              + " describe pod, or the kernel's report of a kill",
          String.join(", ", paths));
      return ExitCode.BAD_INPUT;
    }
    PastedMemory pasted = read.get();
    Optional<MemoryByOwner> memory = pasted.dump().map(MemoryByOwner::new);
    Conclusion conclusion = PastedVerdict.of(pasted, memory, memory.flatMap(WhoConclusion::of));
    return run.print(
        paths.getFirst(),
        PastedAnswer.of(pasted, memory, conclusion),
        pasted.dump(),
        Optional.of(conclusion),
        PastedVerdict.missing(pasted).stream()
            .findFirst()
            .map(PastedVerdict.Missing::command)
            .orElse(""));
  }
}
