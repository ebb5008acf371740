package dev.stowage.cli.output;

import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.text.CsvField;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.replay.Placement;
import java.io.IOException;

/** A CSV file with the place of each request of a trace, written completely or not at all. */
public final class PlacementsFile implements ReplayFile {

  private final WholeFile file;

  public PlacementsFile(String path) {
    file = new WholeFile(path);
  }

  @Override
  public String path() {
    return file.path();
  }

  @Override
  public boolean write(ReplayReport report, WholeFile.Content page) throws IOException {
    boolean hasAddresses = report.allocator().decidesAddresses();
    file.write(out -> {
      out.write(hasAddresses ? "id,bytes,region,offset,address\n" : "id,bytes,region,offset\n");
      for (Placement placement : report.details().placements()) {
        String place =
            placement
                .spot()
                .map(spot -> text(spot, hasAddresses))
                .orElse(hasAddresses ? ",," : ",");
        out.write(Text.of("%s,%d,%s\n", CsvField.of(placement.id()), placement.bytes(), place));
      }
    });
    return true;
  }

  private static String text(Placement.Spot spot, boolean hasAddress) {
    String place = spot.regionIndex() + "," + spot.offset();
    return hasAddress ? place + "," + spot.address().orElseThrow() : place;
  }
}
