package dev.stowage.pages;

import dev.stowage.trace.explain.UserLine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/** Call stacks, each with an index, and the line of the user's code in each. */
final class StackColumns {

  /** The index of an empty stack. */
  static final int NONE = -1;

  private final Map<List<String>, Integer> indices = new HashMap<>();
  private final List<List<String>> stacks = new ArrayList<>();

  int indexOf(List<String> frames) {
    if (frames.isEmpty()) {
      return NONE;
    }
    return indices.computeIfAbsent(
        frames,
        stack -> {
          stacks.add(stack);
          return stacks.size() - 1;
        });
  }

  /** Writes all stacks as columns. */
  void write(JsonGenerator json) {
    Map<String, Integer> frameIndices = new LinkedHashMap<>();
    Map<String, Integer> lineIndices = new LinkedHashMap<>();
    List<Integer> starts = new ArrayList<>();
    List<Integer> frames = new ArrayList<>();
    List<Integer> lines = new ArrayList<>();
    for (List<String> stack : stacks) {
      starts.add(frames.size());
      for (String frame : stack) {
        frames.add(frameIndices.computeIfAbsent(frame, none -> frameIndices.size()));
      }
      String line = UserLine.of(stack).orElseThrow();
      lines.add(lineIndices.computeIfAbsent(line, none -> lineIndices.size()));
    }
    starts.add(frames.size());
    ScriptJson.column(json, "frames", List.copyOf(frameIndices.keySet()));
    ScriptJson.column(json, "stackStart", starts, Integer::longValue);
    ScriptJson.column(json, "stackFrames", frames, Integer::longValue);
    ScriptJson.column(json, "lines", List.copyOf(lineIndices.keySet()));
    ScriptJson.column(json, "stackLine", lines, Integer::longValue);
  }
}
