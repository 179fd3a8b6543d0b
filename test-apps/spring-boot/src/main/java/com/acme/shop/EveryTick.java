package com.acme.shop;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.scheduling.annotation.Scheduled;

/** Marks a job that runs at the shop's tick interval. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@Scheduled(fixedRateString = "${shop.jobs.rate}")
@interface EveryTick {}
