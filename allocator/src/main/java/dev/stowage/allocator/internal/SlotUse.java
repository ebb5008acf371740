package dev.stowage.allocator.internal;

import dev.stowage.allocator.AllocatorReport;
import java.util.List;

/**
 * The slots of slabs at one moment.
 *
 * @param counts the difference between slots and slabs
 * @param holders the slots in use by tag
 */
public record SlotUse(SlotCounts counts, List<AllocatorReport.Holder> holders) {}
