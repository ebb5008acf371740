package dev.stowage.cli.option;

import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.output.PlacementsFile;
import dev.stowage.cli.output.ReplayFile;
import dev.stowage.cli.output.ReplayPages;
import dev.stowage.cli.output.SnapshotFile;
import dev.stowage.cli.run.InputPaths;
import dev.stowage.cli.run.OutputPaths;
import dev.stowage.cli.run.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of {@code stowage replay} for the files that it writes. */
public final class ReplayOutputOptions {

  @Option(
      names = "--placements",
      order = ShortHelp.RARE,
      paramLabel = "PATH",
      description = {
        "Write the place of each request as CSV: id,bytes,region,offset. With",
        "PyTorch's rules also address, and older blocks come first."
      })
  private Optional<String> placements = Optional.empty();

  @Option(
      names = "--output",
      paramLabel = "PATH",
      description = {
        "Write an .html page with a memory map and curves over the events, or a",
        ".pickle file for PyTorch's viewer (pytorch.org/memory_viz): a memory",
        "snapshot with the events, the regions and all chunks of the replay.",
        "With several replays, the page is their table. If PATH is a folder or",
        "ends in /, write a page for each replay there, and index.html."
      })
  private Optional<String> output = Optional.empty();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /** {@return true if the place of each request is written} */
  public boolean writesPlacements() {
    return placements.isPresent();
  }

  /**
   * {@return the files to write}
   *
   * @param isOne true if there is one replay
   * @param limitBytes the memory of the device, if it is limited
   * @throws ParameterException if the options contradict each other or the traces
   */
  public List<ReplayFile> files(List<String> traces, boolean isOne, OptionalLong limitBytes) {
    List<ReplayFile> files = new ArrayList<>();
    OutputPaths paths = new OutputPaths(spec, traces);
    if (placements.isPresent()) {
      checkOne("--placements", isOne);
      paths.add("--placements", placements.get(), List.of());
      files.add(new PlacementsFile(placements.get()));
    }
    if (output.isEmpty()) {
      return files;
    }
    String path = output.get();
    if (path.endsWith("/") || InputPaths.isFolder(path)) {
      files.add(new ReplayPages(path, true, isOne));
      return files;
    }
    paths.add("--output", path, List.of(".html", ".pickle"));
    if (OutputPaths.isPage(path)) {
      files.add(new ReplayPages(path, false, isOne));
    } else {
      checkOne("--output PATH.pickle", isOne);
      files.add(new SnapshotFile(path, limitBytes));
    }
    return files;
  }

  private void checkOne(String option, boolean isOne) {
    if (!isOne) {
      throw Usage.error(
          spec,
          "%s writes one replay, but there are several traces or --settings; --output FOLDER/ writes a page of each",
          option);
    }
  }
}
