package dev.stowage.fleet;

import dev.stowage.console.ExitCode;
import dev.stowage.fleet.result.LineMerge;
import dev.stowage.fleet.result.Shard;
import dev.stowage.fleet.result.SweepFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The results of several shards as those of one sweep. */
final class ShardMerge {

  private final List<String> inputs;
  private final ResultsFolder folder;
  private final ClientWorker client;
  private final Consumer<String> messages;
  private Optional<SweepReport> report = Optional.empty();

  /**
   * Creates a merge.
   *
   * @param inputs the folders with the results of the shards
   * @param folder the folder of all results
   * @param client draws the page
   * @param messages receives errors
   */
  ShardMerge(
      List<String> inputs, ResultsFolder folder, ClientWorker client, Consumer<String> messages) {
    this.inputs = inputs;
    this.folder = folder;
    this.client = client;
    this.messages = messages;
  }

  /** {@return the merged results; empty if they cannot be merged} */
  Optional<SweepReport> report() {
    return report;
  }

  /** Merges the results and {@return the exit code; that of items is not part of it} */
  int run() throws IOException, InterruptedException {
    List<SweepFacts> shards = new ArrayList<>();
    for (String input : inputs) {
      try {
        if (!Files.isReadable(Path.of(input, "results.jsonl"))) {
          throw new IOException("it has no results.jsonl");
        }
        shards.add(SweepFacts.read(Path.of(input)));
      } catch (IOException e) {
        messages.accept(input + ": is no folder of --results of a sweep: " + e.getMessage());
        return ExitCode.BAD_INPUT;
      }
    }
    Optional<String> difference = difference(shards);
    if (difference.isPresent()) {
      messages.accept(difference.get());
      return ExitCode.BAD_INPUT;
    }
    int exitCode = checkShards(shards);
    Path results = folder.work().resolve("results.jsonl");
    List<Path> files = inputs.stream().map(input -> Path.of(input, "results.jsonl")).toList();
    long itemCount = LineMerge.merge(files, results);
    SweepFacts first = shards.get(0);
    SweepFacts all =
        new SweepFacts(
            first.command(),
            first.options(),
            first.version(),
            Shard.ALL,
            itemCount,
            exitCode == ExitCode.DONE);
    report = Optional.of(SweepReport.of(folder, results, all, 0, client));
    return exitCode;
  }

  /** {@return the first shard that is not one of the same sweep} */
  private Optional<String> difference(List<SweepFacts> shards) {
    SweepFacts first = shards.get(0);
    for (int i = 1; i < shards.size(); i++) {
      SweepFacts other = shards.get(i);
      String name = "";
      if (!other.command().equals(first.command())) {
        name = "--run " + other.command() + " and --run " + first.command();
      } else if (!other.options().equals(first.options())) {
        name =
            "the options '"
                + String.join(" ", other.options())
                + "' and '"
                + String.join(" ", first.options())
                + "'";
      } else if (!other.version().equals(first.version())) {
        name = "Stowage " + other.version() + " and " + first.version();
      } else if (other.shard().count() != first.shard().count()) {
        name = "--shard " + other.shard() + " and " + first.shard();
      }
      if (!name.isEmpty()) {
        return Optional.of(
            inputs.get(i) + " and " + inputs.get(0) + " are different sweeps, of " + name);
      }
    }
    return Optional.empty();
  }

  /** Reports shards that are missing, twice there, or not complete. */
  private int checkShards(List<SweepFacts> shards) {
    NavigableMap<Integer, String> found = new TreeMap<>();
    int exitCode = ExitCode.DONE;
    for (int i = 0; i < shards.size(); i++) {
      Shard shard = shards.get(i).shard();
      String earlier = found.putIfAbsent(shard.index(), inputs.get(i));
      if (earlier != null) {
        messages.accept("shard " + shard + " is there twice: " + earlier + " and " + inputs.get(i));
        exitCode = ExitCode.BAD_INPUT;
      }
      if (!shards.get(i).isComplete()) {
        messages.accept(inputs.get(i) + ": the sweep was interrupted, and items have no result");
        exitCode = ExitCode.BAD_INPUT;
      }
    }
    int count = shards.get(0).shard().count();
    for (int index = 1; index <= count; index++) {
      if (!found.containsKey(index)) {
        messages.accept("shard " + index + "/" + count + " is missing");
        exitCode = ExitCode.BAD_INPUT;
      }
    }
    return exitCode;
  }
}
