package dev.stowage.pages;

import dev.stowage.pages.history.ReplayHistory.RegionExtent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/** The regions of a replay, of which there may be as many as allocations, as columns. */
final class RegionColumns {

  private RegionColumns() {}

  /** Writes the columns; the steps of all regions stand one behind the other. */
  static void write(List<RegionExtent> regions, JsonGenerator json) {
    Map<String, Integer> owners = new LinkedHashMap<>();
    List<Integer> starts = new ArrayList<>();
    int steps = 0;
    for (RegionExtent region : regions) {
      owners.putIfAbsent(region.owner(), owners.size());
      starts.add(steps);
      steps += region.bytes().stepCount();
    }
    starts.add(steps);
    long[] events = new long[steps];
    long[] least = new long[steps];
    long[] most = new long[steps];
    int next = 0;
    for (RegionExtent region : regions) {
      for (int step = 0; step < region.bytes().stepCount(); step++) {
        events[next] = region.bytes().event(step);
        least[next] = region.bytes().least(step);
        most[next++] = region.bytes().most(step);
      }
    }
    ScriptJson.column(json, "index", regions, RegionExtent::index);
    ScriptJson.column(json, "owners", List.copyOf(owners.keySet()));
    ScriptJson.column(json, "owner", regions, region -> owners.getOrDefault(region.owner(), 0));
    ScriptJson.column(json, "page", regions, RegionExtent::pageBytes);
    ScriptJson.column(json, "start", starts, Integer::longValue);
    ScriptJson.column(json, "event", steps, step -> events[step]);
    ScriptJson.column(json, "min", steps, step -> least[step]);
    ScriptJson.column(json, "max", steps, step -> most[step]);
  }
}
