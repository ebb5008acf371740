package dev.stowage.cli.pasted;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  private static final String INIT = "init ";

  private final List<String> names = new ArrayList<>();
  private final List<String> killed = new ArrayList<>();
  private final Map<String, Long> limits = new HashMap<>();
  private String kind = "";
  private boolean isLimit;

  /** Reads a line without the blanks before it. */
  void read(String line) {
    Matcher name = NAME.matcher(line);
    Matcher size = SIZE.matcher(line);
    if (line.equals("Containers:") || line.equals("Init Containers:")) {
      kind = line.startsWith("Init") ? INIT + "container " : "container ";
    } else if (line.startsWith("Conditions:") || line.startsWith("Events:")) {
      kind = "";
    } else if (!kind.isEmpty() && name.matches()) {
      names.add(kind + name.group(1));
      isLimit = false;
    } else if (!kind.isEmpty() && !names.isEmpty()) {
      isLimit = line.equals("Limits:") || (isLimit && !line.equals("Requests:"));
      if (isLimit && size.matches()) {
        int power = size.group(2).isEmpty() ? 0 : 1 + "KMGT".indexOf(size.group(2));
        long unit = (long) Math.pow(size.group(3).isEmpty() ? 1000 : 1024, power);
        limits.put(names.getLast(), Long.parseLong(size.group(1)) * unit);
      } else if (line.equals("Reason: OOMKilled")) {
        killed.add(names.getLast());
      }
    }
  }

  /** {@return true if a container was killed for a lack of memory} */
  boolean isKilled() {
    return !killed.isEmpty();
  }

  /** {@return the killed container; otherwise the only container that is no init container} */
  Optional<String> container() {
    List<String> others = names.stream().filter(name -> !name.startsWith(INIT)).toList();
    return isKilled()
        ? Optional.of(killed.getFirst())
        : Optional.of(others).filter(it -> it.size() == 1).map(List::getFirst);
  }

  /** {@return the limit of the memory of the container; empty if it has none} */
  OptionalLong limitBytes() {
    Optional<Long> limit = container().map(limits::get);
    return limit.isPresent() ? OptionalLong.of(limit.get()) : OptionalLong.empty();
  }
}
