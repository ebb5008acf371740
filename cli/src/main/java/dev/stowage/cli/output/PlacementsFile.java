package dev.stowage.cli.output;

import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.text.CsvField;
import dev.stowage.core.trace.Placement;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A CSV file with the place of each request of a trace, written completely or not at all. */
public final class PlacementsFile implements ReplayFile {

  private final WholeFile file;

  /**
   * Creates a file.
   *
   * @param path the path
   */
  public PlacementsFile(String path) {
    file = new WholeFile(path);
  }

  @Override
  public String path() {
    return file.path();
  }

  @Override
  public void write(ReplayReport report) throws IOException {
    file.write(out -> write(report.placements(), out));
  }

  private static void write(List<Placement> placements, Writer out) throws IOException {
    out.write("id,bytes,region,offset\n");
    for (Placement placement : placements) {
      Optional<Placement.Spot> spot = placement.spot();
      out.write(
          String.format(
              Locale.ROOT,
              "%s,%d,%s\n",
              CsvField.of(placement.id()),
              placement.bytes(),
              spot.map(s -> s.regionIndex() + "," + s.offset()).orElse(",")));
    }
  }
}
