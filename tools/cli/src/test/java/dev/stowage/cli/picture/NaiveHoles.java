package dev.stowage.cli.picture;

import dev.stowage.pages.history.PlacedChunk;
import dev.stowage.pages.history.ReplayHistory;
import dev.stowage.pages.history.ReplayHistory.RegionExtent;
import dev.stowage.pages.history.Steps.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The holes of a small replay, from a list of all units of 256 bytes after each event. */
final class NaiveHoles {

  private static final int UNIT = 256;
  private static final int FREE = -1;
  private static final int UNRESERVED = -2;

  private final List<PlacedChunk> chunks;
  private final List<RegionExtent> regions;

  /** The chunk of each unit, by event and region. */
  private final int[][][] units;

  NaiveHoles(ReplayHistory history) {
    chunks = history.drawn().chunks();
    regions = history.regions();
    units = new int[(int) history.events().count() + 1][regions.size()][];
    for (int event = 0; event < units.length; event++) {
      for (int region = 0; region < regions.size(); region++) {
        units[event][region] = unitsOf(region, event);
      }
    }
  }

  private int[] unitsOf(int region, int event) {
    RegionExtent extent = regions.get(region);
    List<Step<Long>> steps = extent.bytes().steps();
    long largest = steps.stream().mapToLong(Step::value).max().orElse(0);
    int[] all = new int[(int) (largest / UNIT)];
    Arrays.fill(all, UNRESERVED);
    for (Step<Long> step : steps) {
      if (step.event() <= event) {
        Arrays.fill(all, UNRESERVED);
        Arrays.fill(all, 0, (int) (step.value() / UNIT), FREE);
      }
    }
    for (int i = 0; i < chunks.size(); i++) {
      PlacedChunk chunk = chunks.get(i);
      if (chunk.regionIndex() == extent.index()
          && chunk.firstEvent() <= event
          && event < chunk.endEvent()) {
        int start = (int) (chunk.offset() / UNIT);
        Arrays.fill(all, start, start + (int) (chunk.chunkBytes() / UNIT), i);
      }
    }
    return all;
  }

  private record Run(int region, int start, int end, String text) {

    int length() {
      return end - start;
    }
  }

  /** {@return a line for each hole after an event, the largest first} */
  String holes(int event) {
    List<Run> runs = new ArrayList<>();
    for (int region = 0; region < regions.size(); region++) {
      int[] now = units[event][region];
      int start = 0;
      while (start < now.length) {
        int end = start + 1;
        if (now[start] == FREE) {
          while (end < now.length && now[end] == FREE) {
            end++;
          }
          runs.add(run(event, region, start, end));
        }
        start = end;
      }
    }
    runs.sort(Comparator.comparingInt(Run::length).reversed());
    return runs.stream().map(Run::text).collect(Collectors.joining("\n"));
  }

  private Run run(int event, int region, int start, int end) {
    int[] now = units[event][region];
    String text =
        String.format(
            Locale.ROOT,
            "%d %d %d %d %d",
            regions.get(region).index(),
            start * UNIT,
            (end - start) * UNIT,
            start == 0 ? FREE : now[start - 1],
            end == now.length || now[end] == UNRESERVED ? FREE : now[end]);
    return new Run(region, start, end, text);
  }
}
