package dev.stowage.cli.output;

import dev.stowage.core.trace.Placement;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Optional;

/** Where each request of a trace went, as CSV; a file written whole or not at all. */
public final class PlacementsFile {

  private final WholeFile file;

  /**
   * A file.
   *
   * @param path where to write
   */
  public PlacementsFile(String path) {
    file = new WholeFile(path);
  }

  /** {@return where it is written to} */
  public String path() {
    return file.path();
  }

  /**
   * Writes placements.
   *
   * @param placements where each request went
   * @throws IOException if the file cannot be written; what was there before is then untouched
   */
  public void write(List<Placement> placements) throws IOException {
    file.write(out -> write(placements, out));
  }

  private static void write(List<Placement> placements, Writer out) throws IOException {
    out.write("id,bytes,region,offset\n");
    for (Placement placement : placements) {
      Optional<Placement.Spot> spot = placement.spot();
      out.write(
          "%s,%d,%s\n"
              .formatted(
                  ProblemCsvWriter.quoted(placement.id()),
                  placement.bytes(),
                  spot.map(s -> s.regionIndex() + "," + s.offset()).orElse(",")));
    }
  }
}
