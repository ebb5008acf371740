package dev.stowage.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ComparisonTableTest {

  @Test
  void markdown_peersThatAreMissingSomewhere_areDashes() {
    ComparisonTable table = new ComparisonTable();
    table.addColumn(
        "few", Map.of(Peer.STOWAGE, new Timing(40, 41.26), Peer.ARROW, new Timing(10, 12_345.6)));
    table.addColumn("many", Map.of(Peer.STOWAGE, new Timing(9.994, 99.96)));
    table.addNote("mimalloc is not here: install it.");
    table.addNote("mimalloc is not here: install it.");
    assertThat(table.markdown())
        .isEqualTo(
            """
            Time as a multiple of Stowage's:

            | | few | many |
            |---|---|---|
            | Stowage | 1.00 | 1.00 |
            | Arrow, Unsafe | 0.25 | – |

            Nanoseconds, in the fastest iteration (in the median one):

            | | few | many |
            |---|---|---|
            | Stowage | 40.0 (41.3) | 9.99 (100) |
            | Arrow, Unsafe | 10.0 (12,346) | – |

            - mimalloc is not here: install it.
            """);
  }

  @Test
  void markdown_withoutOurs_hasNoRatios() {
    ComparisonTable table = new ComparisonTable();
    table.addColumn("few", Map.of(Peer.GLIBC, new Timing(200, 210)));
    assertThat(table.markdown()).contains("| glibc | – |", "| glibc | 200 (210) |");
  }
}
