package dev.stowage.cli.pasted;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The containers in the output of {@code kubectl describe pod}, whole or cut. */
final class PastedPod {

  /*
   *   Containers:                 Init Containers:
   *     orders:                     init:
   *       Container ID: …             State: Terminated
   *       Limits:                       Reason: OOMKilled
   *         memory: 256Mi
   */

  private static final Pattern NAME = Pattern.compile("([a-z0-9][a-z0-9-]{0,62}):");
  private static final Pattern SIZE = Pattern.compile("memory: (\\d{1,12})([KMGT]?)(i?)");

  /**
   * A container.
   *
   * @param limitBytes the limit of its memory; empty if it has none, or if the text is cut
   * @param isKilled true if it was killed for a lack of memory
   */
  record Container(String name, boolean isInit, OptionalLong limitBytes, boolean isKilled) {}

  private final List<Container> containers = new ArrayList<>();
  private boolean isInit;
  private boolean isPod;
  private boolean isLimit;

  /** Reads a line without the blanks before it. */
  void read(String line) {
    if (line.equals("Containers:") || line.equals("Init Containers:")) {
      isPod = true;
      isInit = line.startsWith("Init");
    } else if (line.startsWith("Conditions:") || line.startsWith("Events:")) {
      isPod = false;
    } else if (isPod && NAME.matcher(line).matches()) {
      isLimit = false;
      containers.add(
          new Container(line.substring(0, line.length() - 1), isInit, OptionalLong.empty(), false));
    } else if (!containers.isEmpty() && isPod) {
      readField(line, containers.getLast());
    }
  }

  private void readField(String line, Container last) {
    isLimit = line.equals("Limits:") || (isLimit && !line.equals("Requests:"));
    Matcher size = SIZE.matcher(line);
    Container read = last;
    if (isLimit && size.matches()) {
      int power = size.group(2).isEmpty() ? 0 : 1 + "KMGT".indexOf(size.group(2));
      long unit = (long) Math.pow(size.group(3).isEmpty() ? 1000 : 1024, power);
      OptionalLong bytes = OptionalLong.of(Long.parseLong(size.group(1)) * unit);
      read = new Container(last.name(), last.isInit(), bytes, last.isKilled());
    } else if (line.equals("Reason: OOMKilled")) {
      read = new Container(last.name(), last.isInit(), last.limitBytes(), true);
    }
    containers.set(containers.size() - 1, read);
  }

  /** {@return the killed container; otherwise the only container that is no init container} */
  Optional<Container> container() {
    List<Container> candidates =
        containers.stream()
            .filter(container -> container.isKilled() || !container.isInit())
            .sorted(Comparator.comparing(container -> !container.isKilled()))
            .toList();
    return candidates.size() == 1 || (!candidates.isEmpty() && candidates.getFirst().isKilled())
        ? Optional.of(candidates.getFirst())
        : Optional.empty();
  }
}
