package dev.stowage.onnxbudget.memory;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The recorded requests of a session, with and without those for workspaces. */
final class RecordedUse {

  private RecordedUse() {}

  static List<Request> flat(List<List<Request>> parts) {
    return parts.stream().flatMap(List::stream).toList();
  }

  /** {@return all requests} */
  static List<Request> all(RecordedRuns runs) {
    List<Request> all = new ArrayList<>(runs.load());
    runs.runs().forEach(run -> all.addAll(flat(run)));
    return all;
  }

  /** {@return all requests except those for workspaces} */
  static List<Request> withoutWorkspaces(RecordedRuns runs) {
    List<Request> kept = new ArrayList<>(runs.load());
    for (List<List<Request>> run : runs.runs()) {
      for (int part = 0; part < run.size(); part++) {
        Set<Integer> own = part % 2 == 1 ? own(run.get(part)) : Set.of();
        for (Request request : run.get(part)) {
          if (!own.contains(request.id())) {
            kept.add(request);
          }
        }
      }
    }
    return kept;
  }

  /** {@return the requests that a part makes and frees} */
  private static Set<Integer> own(List<Request> part) {
    Set<Integer> made = new HashSet<>();
    Set<Integer> own = new HashSet<>();
    for (Request request : part) {
      if (request instanceof Request.Free(int id)) {
        if (made.contains(id)) {
          own.add(id);
        }
      } else {
        made.add(request.id());
      }
    }
    return own;
  }

  /** {@return the use of an arena that has served requests} */
  static ArenaUse use(List<Request> requests) {
    EngineArena arena = new EngineArena();
    arena.handle(requests);
    return ArenaUse.of(arena);
  }
}
