package dev.stowage.fleet.job;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.apache.flink.api.common.functions.RichMapFunction;

/**
 * Runs the command on a batch of files and writes a file with a line for each of them.
 *
 * <p>If the process leaves out files, each of these runs in a process of its own. So a file that
 * ends its process costs no other file its result.
 *
 * <p>The file of a batch has the number of the batch and appears as a whole. A batch that Flink
 * runs again, because its task manager is lost, therefore has its lines once.
 */
final class BatchFunction extends RichMapFunction<Long, Integer> {

  /** The counter of files with a line. */
  static final String FILES = "files";

  /** The start of the names of counters of exit codes. */
  static final String EXIT = "exit ";

  private static final long serialVersionUID = 1;

  private final SweepTask task;

  @SuppressWarnings("serial") // Batches makes lists of the JDK.
  private final List<List<String>> batches;

  BatchFunction(SweepTask task, List<List<String>> batches) {
    this.task = task;
    this.batches = batches;
  }

  @Override
  public Integer map(Long batch) throws InterruptedException {
    List<String> files = batches.get(batch.intValue());
    Path folder = Path.of(task.results());
    Path unfinished = folder.resolve("." + SweepTask.RESULTS + UUID.randomUUID());
    try {
      try (BufferedWriter out = Files.newBufferedWriter(unfinished)) {
        runEach(files, out);
      }
      String name = String.format(Locale.ROOT, "%s%05d.jsonl", SweepTask.RESULTS, batch);
      Files.move(unfinished, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
      return files.size();
    } catch (IOException e) {
      // Such as a full disk.
      throw SweepException.ofMachine("cannot write results to " + folder, e);
    }
  }

  private void runEach(List<String> files, BufferedWriter out)
      throws IOException, InterruptedException {
    CommandRun run = run(files);
    List<String> missing = new ArrayList<>();
    for (String file : files) {
      if (run.results().containsKey(file)) {
        write(ResultLine.ofResult(file, run.results().get(file)), run, out);
      } else if (files.size() == 1 || run.message(file).isPresent()) {
        write(ResultLine.ofError(file, run.reason(file)), run, out);
      } else {
        missing.add(file);
      }
    }
    for (String file : missing) {
      runEach(List.of(file), out);
    }
  }

  private void write(String line, CommandRun run, BufferedWriter out) throws IOException {
    out.write(line);
    out.write('\n');
    getRuntimeContext().getIntCounter(FILES).add(1);
    getRuntimeContext().getIntCounter(EXIT + run.fileCode()).add(1);
  }

  private CommandRun run(List<String> files) throws InterruptedException {
    try {
      return CommandRun.of(task, files);
    } catch (IOException e) {
      String needs = " or stowage on its PATH, and the folder " + task.folder();
      throw SweepException.ofMachine("needs " + task.program() + needs, e);
    }
  }
}
