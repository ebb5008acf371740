/** The kept chunks of a cache, in stripes that threads seldom share, with distances in memory. */
package dev.stowage.allocator.stripe;
