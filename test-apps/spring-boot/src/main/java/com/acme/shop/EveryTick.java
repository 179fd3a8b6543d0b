package com.acme.shop;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.scheduling.annotation.Scheduled;

/** A job that runs at the shop's own pace. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@Scheduled(fixedRateString = "${shop.jobs.rate}")
@interface EveryTick {}
